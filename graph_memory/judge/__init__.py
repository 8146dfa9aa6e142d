"""How a new statement stands to what is known: the judges, and the policy that may veto their verdicts."""

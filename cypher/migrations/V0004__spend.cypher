// What calls of language models took: one for each tenant, day, provider, model and purpose.
CREATE CONSTRAINT spend_key IF NOT EXISTS FOR (n:Spend) REQUIRE (n.tenant, n.day, n.provider, n.model, n.purpose) IS UNIQUE;

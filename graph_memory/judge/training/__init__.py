"""How the embedded judge came by its weights: pairs written for this project, and the fit.

`pairs.txt` holds one pair a line, `label: old => new`. Labels are D, S, M and C for the four actions; `=` after one
says that the pair reads both ways, and `C:causes:old` names the link and the side it starts from. A blank line ends
a group: what is in one group is never split between training and testing.
"""

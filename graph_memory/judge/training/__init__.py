"""How the linker and the pair model came by their weights: what they learnt from, and the fits.

`pairs.txt` holds one pair a line, `label: old => new`. Labels are D, S, M and C for the four actions; `=` after one
says that the pair reads both ways, and `C:causes:old` names the link and the side it starts from.
"""

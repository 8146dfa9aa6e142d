"""What language models are asked, in our words: a module for each purpose, with the answer's model beside it."""

"""Common given names of many countries: facts in no one's hand, chosen and typed for this package.

Left out are those that are places, months, flowers or other words as well (Paris, June, Rose, Mark, Jordan): where such
a one opens a name, what stands around it has to tell.
"""

from __future__ import annotations

from graph_memory.language.english import words_of

GIVEN_NAMES = words_of(
    """
    aaron abdul abdullah abigail adam adele adrian agnes ahmed aisha akira alan albert alejandro aleksandr alessandro
    alex alexander alexandra alexei ali alice alicia alina allison amanda amelia amina amir amy ana anastasia andrea
    andreas andrew andrzej angela anita anna anne annika anthony antonio anya arjun arthur arturo astrid barbara beatrice
    beatriz ben benjamin bernard beth bianca bjorn bogdan boris brian bruno camila camille carla carlos carmen carol
    caroline catherine cecilia charles chiara chloe christina christine christoph christopher claire clara claudia
    colin craig daniel daniela daria david deborah denise derek diana diego dieter dimitri dmitri dominic donald dorothy
    douglas edgar eduardo edward eileen ekaterina elena eleanor elias elif elizabeth ella ellen elsa emil emilia emily
    emma enrique eric erik esther ethan eva evelyn fatima felipe felix fernando filip francesca francesco
    francois franz fred frederick frieda gabriel gabriela gary geoffrey george gerald gerard giorgio giovanni giulia
    gloria gregory greta guillermo gustav hannah hans harold harry hassan heather heidi heinrich helen helena helga
    henrik henry hiroshi hugo ian ibrahim igor ines ingrid irina isaac isabel isabella ivan jacob jacqueline jakob james
    jamie jane janet jason javier jean jeffrey jennifer jeremy jessica joan joanna johan johannes john jonathan jorge
    jose josef joseph joshua juan judith julia julian juliana julie jurgen karen karin karl karolina katarina kate
    katherine kathleen kathryn katie katja keith kelly kenji kenneth kevin kim klaus kristina kyle lars laura lauren
    laurent leila lena leonard leonardo liam linda lisa logan lorenzo lucas lucia lucy luigi luis luisa lukas luke
    magdalena maja malik manuel marc marcel marco marcus margaret maria mariam mariana marie marina mario marta martha
    martin martina mary maryam mateo mathieu matteo matthew matthias maurice maya megan mehmet melanie melissa michael
    michel michelle miguel mikhail mina mohamed mohammed monica monika muhammad mustafa nadia naomi natalia
    natalie natasha neil nicholas nicola nicolas nikolai nina noah nora olga oliver olivia omar pablo pamela
    patricia patrick paul paula pavel pedro peter petra philip pierre pietro priya rachel rafael rahul raj ralf ramon
    raquel rebecca renata ricardo riccardo richard rita robert roberto roger roland ronald rosa rosalind roxana ruth
    ryan sabine sally salma samantha samuel sandra sanjay sara sarah sebastian sergei shirley silvia simon simone 
    sonia sophia sophie stefan stefano stella stephanie stephen steven stuart sunita susan sven svetlana sylvia takashi
    tamara tanya tatiana teresa theodore theresa thomas tim timothy tobias tom tomas tommaso valentina valeria vanessa
    vera veronica vikram viktor vincent vladimir walter wei wendy william wolfgang yasmin yolanda yuki yuri yusuf zachary
    zara zoe zofia
    ann becky bob chris dan dave greg jake jeff jen jim joe josh liz matt mike nick sam steve
    """
)

import KinshipProgram

/// The text of `--help`.
let helpText = """
  USAGE: family-tree [FILE.ged] [options]

  Shows pedigrees and descendants in a GEDCOM file (5.5, 5.5.1 or 7). Without a file
  it makes up a village in which everybody is related. Without options it draws the
  pedigree of the first person, and shows what that costs from the store and from memory.

  STORE
    --store DIR        explore the genealogy from files in a directory, of which only a
                       part is in memory at any time. An empty or new directory is filled
                       from FILE.ged first, which is read whole for that; later FILE.ged
                       may be left out, and is refused if it has changed. One program at
                       a time
    --store sqlite:DB  the same from an SQLite database, which several programs can edit at
                       once. Needs a program that is built with SQLite:
                       swift run --traits SQLite family-tree
    --store postgresql:CONNINFO
                       the same from a database of a PostgreSQL server, by what libpq takes:
                       "postgresql:host=db.example dbname=royal", or postgresql://HOST/DB.
                       Several programs edit it at once, and hear of each other's edits. Give
                       a password by PGPASSWORD or a ~/.pgpass, where nobody sees it. Needs a
                       program that is built with PostgreSQL:
                       swift run --traits PostgreSQL family-tree
    --snapshot FILE    start with what was in memory when the last run with it ended, and
                       save that again at the end. It is used only if nobody has changed
                       the store since

  WHO
    --person WHO       an xref (@I1@ or I1), or enough of a name to be the only one;
                       by default the first individual of the file
    --find NAME        short for --where name=NAME
    --where CONDITION  list everybody who fulfils it; of several, all must hold:
                         name=TEXT        all words are part of the name
                         surname=NAME     of this surname
                         born=YEAR..YEAR  born in these years; either may be missing,
                                          one alone is one year, -44 is 44 BC
                         place=TEXT       born where the name of the place has this text
                       Case and accents do not count in any of them
    --sort KEYS        list in the order of name, surname or born; several with commas
                       between them, and a minus before what is to descend:
                       --sort surname,-born. A person without a year comes last
    --page-size N      list the first page of N persons (default: 20)
    --after TEXT       list the page after one that ended with this TEXT, even if edits
                       have been made since
    A year is that of baptism if no birth is known, and so is a place.

  WHAT
    --ancestors N      the pedigree, to N generations, or all (default: 4)
    --descendants N    families and children, to N generations, or all
    --summary          figures of the whole file, or of the --person

  EDITING
    --shell            read commands from standard input, one a line: show, find, rename,
                       add-child, delete, undo, redo, changes, watch, help, quit. `help`
                       says what they do. Edits are kept in memory, or in the store of
                       --store; the file itself stays as it is

  COST
    --capacity N       keep at most N records in memory (with --store by default 500)
    --stats            what it cost: store calls, loads, hits, evictions
    --learn            the smallest plan that brings along all that the answer has read, as
                       Swift source, and how many calls of the store it takes
    --report FILE      a page of HTML about the cache at work: what it holds, how long
                       what took, and which loads a plan would have saved
    A pedigree or a line of descent is in memory as long as it is drawn. --summary goes
    through everybody, and keeps of each no more than who the parents are.

  EXIT STATUS
    0 success, 1 nobody found, 64 wrong arguments, 65 not GEDCOM, not the store of this
    genealogy or damaged, 66 unreadable file or store, 73 a file or a store and 74 the
    output could not be written. Warnings about the file go to standard error as
    file:line: warning: message. A mistake in a command does not end the shell; if the
    commands come from a pipe or a file, the status is that of the first mistake: 64 for
    a command that cannot be understood, 1 for one that cannot be carried out.

  EXAMPLES
    family-tree --descendants 3
    family-tree royal92.ged --find victoria
    family-tree royal92.ged --where place=england --where born=1800..1850 --sort born
    family-tree royal92.ged --sort surname,-born --page-size 10
    family-tree royal92.ged --person I609 --ancestors 5
    family-tree royal92.ged --summary --capacity 500 --stats
    echo 'delete I1' | family-tree royal92.ged --shell
    family-tree royal92.ged --store royal --summary --stats
    family-tree --store royal --snapshot royal.warm --person I609
    family-tree --store royal --shell
    family-tree royal92.ged --store sqlite:royal.sqlite --summary --stats
    family-tree --store "postgresql:host=db.example dbname=royal" --shell

  """

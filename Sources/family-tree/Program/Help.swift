/// The text of `--help`.
let helpText = """
  USAGE: family-tree [FILE.ged] [options]

  Shows pedigrees in a GEDCOM file (5.5, 5.5.1 or 7). Without a file it makes up a village in
  which everybody is related. Without options it draws the pedigree of the first person, and
  shows what that costs from the store and from memory.

  WHO
    --person WHO       an xref (@I1@ or I1), or words of one person's name; by default the
                       first individual of the file
    --ancestors N      the pedigree, to N generations, or all (default: 4)
    --find NAME        short for --where name=NAME
    --where CONDITION  list everybody who fulfils it; of several, all must hold:
                         name=TEXT        all words are part of the name
                         born=YEAR..YEAR  born in these years; either may be missing,
                                          one alone is one year, -44 is 44 BC
                         place=TEXT       born where the name of the place has this text
                       Case and accents do not count in any of them. A year is that of
                       baptism if no birth is known, and so is a place
    --sort KEYS        list in the order of name, surname or born; several with commas
                       between them, and a minus before what is to descend:
                       --sort surname,-born. A person without a year comes last
    --page-size N      list the first page of N persons (default: 20)
    --after TEXT       list the page after one that ended with this TEXT, even if edits
                       have been made since
    --summary          figures of the whole file

  EDITING
    --shell            read commands from standard input, one a line: show, find, rename,
                       delete, undo, redo, changes, watch, help, quit. `help` says what
                       they do. Edits are kept in memory, or in the store of
                       --store; the file itself stays as it is

  STORE
    --store DIR        explore the genealogy from files in a directory. A new store is
                       filled from FILE.ged; later FILE.ged may be left out, and is refused
                       if it has changed. One program at a time
    --store sqlite:DB  the same from an SQLite database, which several programs can edit at
                       once, and hear of each other's edits; needs --traits SQLite
    --store postgresql:CONNINFO
                       the same from a PostgreSQL server, by what libpq takes, such as
                       "postgresql:host=db.example dbname=royal". Give a password by
                       PGPASSWORD or a ~/.pgpass; needs --traits PostgreSQL
    --snapshot FILE    with a database: start with what was in memory when the last run with
                       FILE ended, and save that again at the end. Records that others have
                       changed since are reloaded

  COST
    --capacity N       keep at most N records in memory (with --store by default 500)
    --stats            what it cost: store calls, loads, hits, evictions
    --learn            the smallest plan that brings along all that the answer has read, as
                       Swift source, and how many calls of the store it takes
    --report FILE      a page of HTML about the cache at work

  EXIT STATUS
    0 success, 1 nobody found, 64 wrong arguments, 65 not GEDCOM or not the store of this
    genealogy, 66 unreadable file or store, 73 a file or a store and 74 the output could
    not be written. Warnings about the file go to standard error. The shell ends with the
    status of the first mistake, unless somebody types.

  EXAMPLES
    family-tree royal92.ged --where place=england --where born=1800..1850 --sort born
    family-tree royal92.ged --summary --capacity 500 --stats
    family-tree royal92.ged --store royal --person I609 --ancestors all
    echo 'delete I1' | family-tree --store sqlite:royal.sqlite --shell

  """

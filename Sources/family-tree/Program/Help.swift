let helpText = """
  USAGE: family-tree [FILE.ged] [OPTIONS]

  Draws pedigrees from a GEDCOM file, or of an invented village. Without options
  it draws that of the first person, and shows what it costs.

  LOOK AT A PERSON
    --person WHO       an id (@I1@ or I1), or words of a name; by default the
                       first person of the file
    --ancestors N      draw N generations of ancestors, or all (default: 4)
    --summary          print figures of the whole file

  LIST PERSONS
    --where CONDITION  list the persons who fulfil it, or each of several:
                         name=TEXT        the name contains all these words
                         born=YEAR..YEAR  born in these years: also 1819, ..1700,
                                          or -44.. for 44 BC and later
                         place=TEXT       the place of birth contains this text
                       Case and accents do not matter. A baptism stands in for an
                       unknown birth
    --find NAME        short for --where name=NAME
    --sort KEYS        sort by name, surname or born, or by several with commas; a
                       minus means descending: --sort surname,-born
    --page-size N      list N persons at a time (default: 20)
    --after TEXT       list the page after the one that ended with this TEXT

  EDIT
    --shell            read commands, one a line: show, find, rename, delete,
                       undo, redo, changes, watch, help, quit. Edits stay in
                       memory or in the store; the GEDCOM file does not change

  KEEP IT IN A STORE
    --store DIR        a directory, for one program at a time. A new store imports
                       FILE.ged; later you can leave the file out
    --store sqlite:FILE
                       a SQLite database, which several programs can edit at once;
                       needs a build with --traits SQLite
    --store postgresql:CONNINFO
                       a PostgreSQL database: "postgresql:host=db dbname=royal",
                       with the password in PGPASSWORD; needs --traits PostgreSQL
    --snapshot FILE    with a database: start with the memory of the last run, and
                       save it in FILE at the end

  MEASURE THE CACHE
    --capacity N       keep at most N records in memory (with --store: 500)
    --stats            print store calls, loads, hits and evictions
    --learn            print the smallest plan that loads what the answer has read
    --report FILE      write a page of HTML about the cache
    --help, --version  print this text, or the version

  EXAMPLES
    family-tree royal92.ged --where place=england --where born=1800..1850
    family-tree royal92.ged --store royal --person I609 --ancestors all
    echo 'delete I1' | family-tree --store sqlite:royal.sqlite --shell

  EXIT STATUS
    0 success, 1 nobody found, 64 wrong arguments, 65 the wrong kind of file or
    store, 66 one cannot be read, 73 written, 74 the output cannot be written. A
    shell that reads a file ends with the status of its first mistake.

  """

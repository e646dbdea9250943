let helpText = """
  USAGE: kinship-inspect COMMAND PATH [OPTIONS]

  Shows the files of Kinship without the program that wrote them. PATH is a
  snapshot, the directory of a file store, or a database: a SQLite file,
  sqlite:FILE, or postgresql:CONNINFO, such as "postgresql:dbname=royal". The
  program does not change or lock what it reads. A store may be in use; commits
  that another program is still writing do not show.

  LOOK INSIDE
    show PATH          print the types with versions, counts and bytes, and facts
                       about the file: ages and leases, segments, or tables
      --json           as JSON
    show PATH --records TYPE
                       list the records of a type
      --where CONDITION  only these: 'name starts with "V" and born < 1850'
      --limit N        only the first N (a table shows 20 by default)
      --format FORMAT  table (the default), jsonl or csv
    tree PATH TYPE:ID --ref REF
                       draw the records that refs lead to
      --generations N  up to N refs away (default: 3)
      --format FORMAT  text (the default), dot for Graphviz, or mermaid

  CHECK AND COMPARE
    verify PATH        check every byte and decode every record; in a database,
                       check pages, indexes, foreign keys and triggers
      --ref REF        also report refs to missing records, for each property
                       that you name: --ref Person.father=Person
    diff OLD NEW       list the records that were added, removed and changed
      --limit N        print the first N, and count all
      --json           as lines of JSON

  COPY AND CONVERT
    export PATH --to FILE
                       write records to a new FILE.jsonl, FILE.csv or FILE.sqlite
      --records TYPE, --where CONDITION, --limit N
                       only these; a .csv holds one type
    import FILE --to NEW
                       make a store from a FILE.jsonl or FILE.csv
      --format snapshot
                       make a snapshot instead
      --coder json     write records as JSON, not in the compact form
      --records TYPE, --record-version N
                       the type and version (default: 1) of the rows of a .csv
      --text COLUMN    this column of a .csv holds texts, even if they look like
                       numbers
    salvage PATH --to NEW
                       copy all undamaged records
    compact PATH --to NEW
                       copy without unused bytes; stops at any damage

  WITH EVERY COMMAND
    --renamed OLD=NEW  read the type OLD as NEW, its present name
    --help, --version  print this text, or the version

  CONDITIONS
    PROPERTY = VALUE, and != < <= > >=; PROPERTY starts with TEXT; PROPERTY
    contains VALUE; PROPERTY is null, is not null. Join them by and, or, not and
    parentheses. A VALUE is a "text", a number, true or false. Write name.surname
    for a property inside another, and `odd name` with backquotes. A missing value
    is null, and null equals nothing.

  EXAMPLES
    kinship-inspect show royal --records Person --where 'born < 1850'
    kinship-inspect verify royal.warm --ref Person.father=Person
    kinship-inspect tree royal Person:@I1@ --ref Person.father=Person --format dot

  EXIT STATUS
    0 success, 1 damaged, different or not found, 64 wrong arguments, 65 not a
    file of Kinship, 66 it cannot be read, 73 a file cannot be written, 74 the
    output cannot be written. Damage is reported as file:offset: error: cause.

  """

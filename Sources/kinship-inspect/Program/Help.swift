/// The text of `--help`.
let helpText = """
  USAGE: kinship-inspect COMMAND PATH [options]

  Looks into the files of Kinship without the program that wrote them. PATH is a snapshot,
  the directory of a file store, or a database: a file of SQLite, sqlite:FILE, or
  postgresql:CONNINFO, such as "postgresql:host=db.example dbname=royal". What is read
  is never written to or locked, and a store may be open in another program meanwhile:
  what that has not committed to its end is not there yet.

  COMMANDS
    show PATH          what there is: types with versions, counts and bytes; of a snapshot
                       ages, the order of use, leases, missing ids and the cursor; of a
                       store segments, what is not in use, and the last commit; of a
                       database the tables, and the log of changes. A backup is told from
                       a store; of a queue of writes offline, how many wait
      --json           the same as JSON
    show PATH --records TYPE
                       the records of a type
      --where CONDITION  those that fulfil it: 'name starts with "V" and born < 1850'
      --limit N        the first N (in a table by default 20)
      --format FORMAT  table (the default), jsonl or csv
    verify PATH        checks every byte, and decodes every record; of a database every
                       page, index and foreign key, and the triggers of the log
      --ref REFS       and follows refs: Person.father=Person. Again for each property
    export PATH --to FILE
                       write records to a new FILE.jsonl, FILE.csv of one type, or
                       FILE.sqlite with a table for each type
      --records TYPE, --where CONDITION, --limit N
                       only these
    import FILE --to NEW
                       make the new directory of a store of a FILE.jsonl or FILE.csv
      --format snapshot
                       make a snapshot instead
      --coder json     write records as JSON; otherwise in the compact form
      --records TYPE, --version N
                       what the records of a .csv are (in version 1, if you do not say)
      --text COLUMN    this column of a .csv holds texts, whatever they look like. Again
                       for each such column
    salvage PATH --to NEW
                       write all that is whole to a new file of the same kind
    compact PATH --to NEW
                       the same, unless anything is damaged: without what is not in use
    diff OLD NEW       which records were added, removed and changed, by property
      --limit N        show the first N, and count all
      --json           a line of JSON for each, and one with the counts
    tree PATH TYPE:ID --ref REFS
                       what refs lead to; of a database also its foreign keys
      --generations N  so far (default: 3)
      --format FORMAT  text (the default), dot, mermaid or svg

  WITH ALL
    --renamed OLD=NEW  what a type is called today that had another name. Where a store
                       has records under both, this tells that they are the same

  CONDITION
    PROPERTY = VALUE, and != < <= > >=; PROPERTY starts with TEXT; PROPERTY contains VALUE,
    a text or an element of a list; PROPERTY is null, is not null; joined by and, or, not
    and parentheses, of which and binds closer than or. A VALUE is a "text", a number, true
    or false. A PROPERTY within another is written name.surname, one with an odd name
    between backquotes. What is missing is null, and null equals nothing.

  EXIT STATUS
    0 success, 1 damaged, different, or not found, 64 wrong arguments, 65 no file of
    Kinship or one of a later version, 66 unreadable, 73 a file and 74 the output could
    not be written. What is wrong with a file is told as file:offset: error: Type:id: cause.

  EXAMPLES
    kinship-inspect show royal
    kinship-inspect show royal --records Person --where 'born < 1850' --format csv
    kinship-inspect verify royal.warm --ref Person.father=Person --ref Person.mother=Person
    kinship-inspect tree royal Person:@I1@ --ref Person.father=Person --format dot

  """

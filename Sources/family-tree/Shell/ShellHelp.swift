extension ShellCommand {
  /// How each command is written.
  static let usages = [
    "show": "show ID [GENERATIONS]", "find": "find NAME", "rename": "rename ID NEW NAME",
    "add-child": "add-child ID NAME [SEX]", "preview": "preview ID", "delete": "delete ID",
    "undo": "undo", "redo": "redo", "changes": "changes",
    "watch": "watch ID [GENERATIONS], or watch where CONDITION… [sort KEYS] [first N]",
    "unwatch": "unwatch [ID]", "wait": "wait SECONDS", "help": "help", "quit": "quit",
  ]

  static let helpText = """
    show ID [GENERATIONS]    a person with parents, families, children and events, and
                             the pedigree to so many generations, or all
    find NAME                everybody with such a name
    rename ID NEW NAME       give a person another name
    add-child ID NAME [SEX]  add a child, M, F, X or U, to a family; or to a person, who
                             gets a family for it if there is none
    preview ID               what deleting would do
    delete ID                delete a person with all events; or a family without children
    undo, redo               take the last edit back; make it again
    changes                  what has changed since the shell began
    watch ID [GENERATIONS]   say what becomes of a person's pedigree as edits arrive
    watch where CONDITION… [sort KEYS] [first N]
                             show who fulfils the conditions, and say who comes, goes,
                             changes and moves among them as edits arrive
    unwatch [ID]             say no more of it, or of any; ID is q1 for the first answer
    wait SECONDS             until others change what is watched, for so long at most
    help                     show this
    quit                     end; so does the end of the input

    ID is an xref (@I1@ or I1, @F1@ or F1), or enough of a person's name to be the only
    one; in quotation marks where another word follows: rename "mary lee" Maria Lee.
    CONDITION and KEYS are those of --where and --sort, in quotation marks where there
    is a space: watch where "surname=van der Lee" born=1800..1850 sort -born first 10.
    A family that loses its last member is deleted as well. Edits are kept in memory,
    or with --store in the store, before they are told; the file stays as it is. Others
    can edit a genealogy in a database at the same time: before each command the shell
    hears of what they have done, and says what has become of what is watched. A line
    that begins with # is passed over.

    """
}

import Kinship

/// What the program is asked to do.
struct Options: Equatable {
  var file: String?
  var person: String?
  var ancestors: Int?
  var descendants: Int?
  /// Where a page about the cache at work is written to.
  var report: String?
  var capacity: Int?
  /// Where the genealogy is explored instead of in memory.
  var store: StoreLocation?
  /// The file with what was in memory.
  var snapshot: String?
  /// Who is asked for: all conditions hold.
  var conditions: [PersonCondition] = []
  var order: [PersonOrder] = []
  var pageSize: Int?
  /// Where the page before ended.
  var cursor: PageCursor<Person>?
  var summary = false
  var stats = false
  /// Whether to tell the plan that brings along what the answer reads.
  var learn = false
  /// Whether to read commands from standard input.
  var shell = false
  var help = false

  /// Whether there is nothing on the command line, except perhaps a file.
  var asksNothing: Bool {
    var fileAlone = Options()
    fileAlone.file = file
    return self == fileAlone
  }

  /// Whether a person is to be shown in the terminal: yes, unless something else is asked for.
  var showsPerson: Bool {
    ancestors != nil || descendants != nil || person != nil && !summary
      || !summary && !shell && !listsPersons
  }

  /// Whether persons are listed who answer a question.
  var listsPersons: Bool {
    !conditions.isEmpty || !order.isEmpty || isPaged
  }

  /// Whether a page of them is.
  var isPaged: Bool { pageSize != nil || cursor != nil }

  var question: PersonQuestion { PersonQuestion(conditions: conditions, order: order) }

  /// How many persons a page has, if nothing else is asked for.
  static let defaultPageSize = 20

  /// How many records may be in memory.
  var recordsInMemory: Int { capacity ?? (store == nil ? .max : Self.defaultCapacityOverStore) }

  /// How many records are in memory over a store, if nothing else is asked for.
  static let defaultCapacityOverStore = 500
  /// How many generations of ancestors to show if none are asked for.
  static let defaultAncestors = 4
  /// What `all` stands for: more than any line is long.
  static let allGenerations = 1_000_000
}

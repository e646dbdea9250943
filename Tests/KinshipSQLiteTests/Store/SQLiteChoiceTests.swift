#if SQLite
  import Kinship
  import KinshipTesting
  import KinshipSQLite
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  @testable import KinshipStoreTestSupport
  @testable import KinshipTrials

  /// Refs to records of one of two types, in a column of JSON.
  @Suite(.dedicatedThreads)
  struct SQLiteChoiceTests {
    /// No statement can find referrers in a JSON list, so no rule of these types searches for them.
    typealias One<A: StaticRule, B: StaticRule> = Rules<
      A, B, StaticRules.Nullify, StaticRules.None
    >

    private static let sql = """
      CREATE TABLE even (id INTEGER PRIMARY KEY, one TEXT, many TEXT NOT NULL);
      CREATE INDEX even_one ON even (one);
      CREATE TABLE odd (id INTEGER PRIMARY KEY, one TEXT, many TEXT NOT NULL)
      """

    private static func store<Rules: RuleSet>(
      _ database: TemporaryDatabase, _ rules: Rules.Type
    ) throws -> SQLiteStore {
      try SQLiteStore(
        at: database.path, SQLiteTable<ChoiceTrial<Rules>.Even>("even"),
        SQLiteTable<ChoiceTrial<Rules>.Odd>("odd"),
        configuration: SQLiteConfiguration(setup: sql))
    }

    private static func random<A: StaticRule, B: StaticRule>(
      _: A.Type, _: B.Type, capacity: Int
    ) async throws {
      try await Property.check(
        seeds: 3, steps: 50, shrinkLimit: 200, generate: ChoiceCommand.random
      ) { commands, _ in
        let database = TemporaryDatabase()
        let store = try store(database, One<A, B>.self)
        var trial = try ChoiceTrial<One<A, B>>(
          store: store, capacity: capacity, findsLists: false)
        for command in commands { try await trial.perform(command) }
        try await trial.verifyAll(GraphCache(schema: ChoiceTrial<One<A, B>>.schema, store: store))
      }
    }

    @Test(arguments: SmallDeletions.allRules)
    func `choices obey every delete rule in a database`(rules number: Int) async throws {
      let (onDelete, onTargetDelete) = SmallDeletions.rules[number]
      try await Self.random(onDelete, onTargetDelete, capacity: number % 2 == 0 ? 2 : .max)
    }
  }
#endif

#if canImport(Testing)
  package import Kinship
  public import Testing

  /// Fails a test whose caches load single records that a plan could have included.
  ///
  /// ```swift
  /// @Test(.noUnplannedLoads) func `the list makes one call for each type`() async throws {
  ///   let store = ScriptedStore(over: Self.family())
  ///   let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
  ///
  ///   let rows = try await loadRows(from: cache)
  ///
  ///   #expect(rows.map(\.title) == ["Albert, born 1819", "Auguste", "Ernst"])
  ///   #expect(store.calls.map(\.kind) == [.query, .fetch])
  ///   #expect(store.recordsFetched == 4)
  /// }
  /// ```
  ///
  /// The trait makes each cache strict that the test creates without a `strictness`, in its own
  /// task or in a child of it. After the test, it records an issue at each call that loaded a
  /// record, with the plan that would have included it.
  public struct NoUnplannedLoads: SuiteTrait, TestTrait, TestScoping {
    private let report: @Sendable (UnplannedLoad) -> Void

    /// Creates the trait with another way to report a load, for its own tests.
    package init(report: @escaping @Sendable (UnplannedLoad) -> Void = { Self.record($0) }) {
      self.report = report
    }

    /// Whether nested suites and their tests have the trait too.
    public var isRecursive: Bool { true }

    /// Runs a test case, and records an issue for each unplanned load.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The case of it; `nil` for a suite as a whole.
    ///   - function: Runs the test case.
    /// - Throws: The error of the test case.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      let loads = Loads()
      defer { for load in loads.all.withLock({ $0 }) { report(load) } }
      try await Strictness.$standard.withValue(
        .report { load in loads.all.withLock { $0.append(load) } }, operation: function)
    }

    private final class Loads: Sendable {
      let all = Lock<[UnplannedLoad]>([])
    }

    private static func record(_ load: UnplannedLoad) {
      Issue.record(
        "\(load)",
        sourceLocation: SourceLocation(
          fileID: load.caller.fileID, filePath: load.caller.fileID, line: Int(load.caller.line),
          column: 1))
    }
  }

  extension Trait where Self == NoUnplannedLoads {
    /// Fails a test whose caches load single records that a plan could have included.
    public static var noUnplannedLoads: Self { Self() }
  }
#endif

import Foundation
import Kinship
import KinshipDiagnostics
import Testing

/// A span as in swift-distributed-tracing, with the parts that the examples need.
private final class Span {
  var attributes: [String: Int] = [:]
}

private nonisolated(nonsending) func withSpan<Value>(
  _ name: String, _ body: nonisolated(nonsending) (Span) async throws -> Value
) async rethrows -> Value {
  let span = Span()
  let value = try await body(span)
  Recorded.names.withLock { $0.append("\(name) \(span.attributes)") }
  return value
}

/// A timer as swift-metrics has them.
private struct Timer {
  let label: String
  let dimensions: [(String, String)]

  func record(duration: Duration) {
    #expect(duration >= .zero)
    Recorded.names.withLock { $0.append("\(label) \(dimensions.map(\.1))") }
  }
}

private enum Recorded {
  static let names = Lock<[String]>([])
}

struct SpanTracer: CacheTracer {
  nonisolated(nonsending) func trace<Value>(
    _ work: CacheWork, _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    try await withSpan(work.name) { span in
      span.attributes["kinship.records"] = work.count
      return try await body()
    }
  }
}

struct TimerTracer: CacheTracer {
  nonisolated(nonsending) func trace<Value>(
    _ work: CacheWork, _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    let timer = Timer(label: work.name, dimensions: [("type", work.type ?? "")])
    let start = ContinuousClock.now
    defer { timer.record(duration: .now - start) }
    return try await body()
  }
}

extension DocumentationExamples {
  @Test func `a report prints as text and as a page`() async throws {
    let store = Self.family()
    let url = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID()).html")
    defer { try? FileManager.default.removeItem(at: url) }

    let cache = try GraphCache(
      for: Person.self, Event.self, Place.self, store: store, tracing: .on)
    _ = try await cache.graph(of: Ref<Person>(42), .generations(2))

    let report = await cache.report()
    print(report)
    try report.html.write(to: url, atomically: true, encoding: .utf8)

    #expect(report.work.contains { $0.kind == .fetch && $0.type == "Person" })
  }

  @Test func `a tracer receives the spans of the cache`() async throws {
    let store = Self.family()

    let cache = try GraphCache(
      for: Person.self, Event.self, Place.self, store: store,
      tracing: .on(notifying: SpanTracer()))
    _ = try await cache.resolve(Ref<Person>(42))
    let timed = try GraphCache(
      for: Person.self, Event.self, Place.self, store: store,
      tracing: .on(notifying: TimerTracer()))
    _ = try await timed.resolve(Ref<Person>(42))

    let names = Recorded.names.withLock { $0 }
    #expect(names.contains(#"kinship.fetch ["kinship.records": 1]"#))
    #expect(names.contains(#"kinship.fetch ["Person"]"#))
  }
}

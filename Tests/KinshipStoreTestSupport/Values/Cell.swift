#if SQLite || PostgreSQL
  import Foundation
  import Kinship

  typealias CellValue = Codable & Equatable & Sendable

  /// A record with one property of any type.
  struct Cell<Value: CellValue>: GraphRecord, Codable, Equatable {
    static var recordName: String { "Cell of \(Value.self)" }

    let id: Int
    var value: Value
  }

  /// A visitor that gets values of one type after another.
  protocol CellVisitor {
    func visit<Value: CellValue>(_ values: [Value]) async throws
  }

  /// Values of all types that columns may have, including odd ones.
  enum CellValues {
    private enum Standing: String, Codable { case member, guest, seven = "7" }
    private enum Rank: Int16, Codable { case first = 1, last = 99 }
    private struct Part: Codable, Equatable { var name: String, numbers: [Double] }

    /// Passes on values, some of which are made from two numbers.
    static func visit(
      by visitor: some CellVisitor, _ number: Int64, _ digits: Int
    ) async throws {
      try await visitor.visit([0, 1, -1, .min, .max, Int(number)])
      try await visitor.visit([Int8.min, 1, Int8.max])
      try await visitor.visit([UInt64.max, 1, 1 << 62])
      try await visitor.visit([true, false])
      try await visitor.visit([
        0, -0.0, 0.1, 5, 1e300, .infinity, .leastNonzeroMagnitude, Double(number),
      ])
      try await visitor.visit([Float(0.1), 5, .infinity, .leastNonzeroMagnitude, Float(digits)])
      try await visitor.visit([
        "", "a", "007", "7", "-1.5", "1e5", " 7", "7 ", "inf", "NaN", "0x1F", "1_000", "\u{E9}",
        "12:30", "12:30:00", "2026-11-27", "\(number)",
      ])
      try await visitor.visit([
        0, Decimal(digits) / 100, Decimal(number), Decimal(number) / 1_000, .nan,
        Decimal(sign: .minus, exponent: -30, significand: 7),
        Decimal(sign: .plus, exponent: 30, significand: Decimal(digits)),
      ])
      try await visitor.visit([UUID()])
      try await visitor.visit([URL(string: "https://example.org/a?b=\(digits)"), nil])
      try await visitor.visit([Data(), Data([0, 255])])
      try await visitor.visit([[UInt8](), [1]])
      try await visitor.visit([Date(timeIntervalSinceReferenceDate: Double(digits) * 86_400)])
      try await visitor.visit([Standing.member, .guest, .seven])
      try await visitor.visit([Rank.first, .last])
      try await visitor.visit([[Int](), [1, 2]])
      try await visitor.visit([[String](), ["a", "1"]])
      try await visitor.visit([Part(name: "\"", numbers: [0.1, 1])])
      try await visitor.visit([Int?.none, 5])
      try await visitor.visit([Decimal?.none, Decimal(digits) / 100])
      try await visitor.visit([["a": 1]])
    }
  }
#endif

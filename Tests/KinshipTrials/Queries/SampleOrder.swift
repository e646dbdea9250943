import Foundation
package import Kinship
import KinshipTesting
package import KinshipTestSupport

/// A random order of samples.
package struct SampleOrder: Sendable, CustomStringConvertible {
  enum Term: Int, CaseIterable, Sendable {
    case id, small, byte, unsigned, perhaps, real, perhapsReal, text, perhapsText, date, uuid
    /// A value that no column holds.
    case length
  }

  private typealias Choice = (
    term: Term, direction: SortTerm<Sample>.Direction, nils: SortTerm<Sample>.Nils?
  )

  private var terms: [Choice]

  package init(using random: inout SplitMix64) {
    terms = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      let nils: SortTerm<Sample>.Nils? =
        Bool.random(using: &random)
        ? nil : SortTerm<Sample>.Nils.allCases[Int.random(in: 0...1, using: &random)]
      return (
        Term.allCases[Int.random(in: 0..<Term.allCases.count, using: &random)],
        SortTerm<Sample>.Direction.allCases[Int.random(in: 0...1, using: &random)], nils
      )
    }
  }

  private init(_ other: SampleOrder, without index: Int) {
    terms = other.terms
    terms.remove(at: index)
  }

  package var shrunk: [SampleOrder] { terms.indices.map { SampleOrder(self, without: $0) } }

  package var description: String {
    terms.map { "\($0.term) \($0.direction) \($0.nils.map { "\($0)" } ?? "")" }
      .joined(separator: ", ")
  }

  /// A query in that order.
  package func sorting(_ query: RecordQuery<Sample>) -> RecordQuery<Sample> {
    terms.reduce(query) { query, next in
      let (term, direction, nils) = next
      return switch term {
      case .id: query.sorted(by: \.id, direction)
      case .small: query.sorted(by: \.small, direction)
      case .byte: query.sorted(by: \.byte, direction)
      case .unsigned: query.sorted(by: \.unsigned, direction)
      case .perhaps: query.sorted(by: \.perhaps, direction, nils: nils)
      case .real: query.sorted(by: \.real, direction)
      case .perhapsReal: query.sorted(by: \.perhapsReal, direction, nils: nils)
      case .text: query.sorted(by: \.text, direction)
      case .perhapsText: query.sorted(by: \.perhapsText, direction, nils: nils)
      case .date: query.sorted(by: \.date, direction)
      case .uuid: query.sorted(by: \.uuid, direction)
      case .length: query.sorted(by: \.text.utf8.count, direction)
      }
    }
  }

  // MARK: The order by hand

  /// Whether a sample comes before another, found independently of the code under test.
  package func isBefore(_ left: Sample, _ right: Sample) -> Bool {
    for (term, direction, nils) in terms {
      let (first, second) = (Self.value(of: left, term), Self.value(of: right, term))
      switch (first, second) {
      case (nil, nil): continue
      case (nil, _): return (nils ?? (direction == .ascending ? .first : .last)) == .first
      case (_, nil): return (nils ?? (direction == .ascending ? .first : .last)) == .last
      case (let first?, let second?):
        if first.lexicographicallyPrecedes(second) { return direction == .ascending }
        if second.lexicographicallyPrecedes(first) { return direction == .descending }
      }
    }
    return left.id < right.id
  }

  /// A value as bytes with the order of the values.
  private static func value(of sample: Sample, _ term: Term) -> [UInt8]? {
    func bytes(_ integer: some FixedWidthInteger) -> [UInt8] {
      let wide = Int128(integer) + (1 << 64)
      return (0..<9).reversed().map { UInt8(truncatingIfNeeded: wide >> ($0 * 8)) }
    }
    func bytes(_ number: Double) -> [UInt8] {
      if number.isNaN { return [] }
      let pattern = (number == 0 ? 0 : number).bitPattern
      return bytes(number.sign == .minus && number != 0 ? ~pattern : pattern | 1 << 63)
    }
    return switch term {
    case .id: bytes(sample.id)
    case .small: bytes(sample.small)
    case .byte: bytes(sample.byte)
    case .unsigned: bytes(sample.unsigned)
    case .perhaps: sample.perhaps.map { bytes($0) }
    case .real: bytes(sample.real)
    case .perhapsReal: sample.perhapsReal.map { bytes($0) }
    case .text: Array(sample.text.utf8)
    case .perhapsText: sample.perhapsText.map { Array($0.utf8) }
    case .date: bytes(sample.date.timeIntervalSinceReferenceDate)
    case .uuid: Array(sample.uuid.uuidString.utf8)
    case .length: bytes(sample.text.utf8.count)
    }
  }
}

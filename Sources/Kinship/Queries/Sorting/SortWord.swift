#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The first bits of a sort key, which compare like the key, so that many values can be sorted as
/// integers.
package struct SortWord: Sendable {
  /// The bits; those of a value that is before another are no larger.
  package let bits: UInt64
  /// Whether exactly the values that share the bits have the same position.
  package let isExact: Bool

  /// Which word of a value is meant, and in which order it compares like the value.
  package struct Form: Sendable {
    /// The number of words of the value before this one.
    let depth: Int
    /// Whether small values are first.
    let isAscending: Bool
    /// Whether `nil` is first.
    let nilsAreFirst: Bool
  }

  /// Returns the words of some things; `nil` if one has none.
  package static func list(
    _ numbers: ArraySlice<Int>, _ word: (Int) -> SortWord?
  ) -> [SortWord]? {
    var words: [SortWord] = []
    words.reserveCapacity(numbers.count)
    for number in numbers {
      guard let word = word(number) else { return nil }
      words.append(word)
    }
    return words
  }

  private init(_ bits: UInt64, isExact: Bool) { (self.bits, self.isExact) = (bits, isExact) }

  /// Creates the first word of an optional value; for most types, the word says nothing.
  init<Value>(_ value: Value?, _ form: Form) {
    guard let value else {
      self.init(form.nilsAreFirst ? 0 : .max, isExact: true)
      return
    }
    self.init(Self.ascending(value), isAscending: form.isAscending)
  }

  /// Creates a further word of a text, for texts whose earlier words are equal; `nil` beyond the
  /// first few, or at the end of the text.
  init?(text: String, _ form: Form) {
    let rest = text.utf8.dropFirst(Self.textSize * form.depth)
    guard form.depth <= Self.depthLimit, !rest.isEmpty else { return nil }
    self.init(SortWord(rest), isAscending: form.isAscending)
  }

  private init(_ word: SortWord, isAscending: Bool) {
    let bits = isAscending ? word.bits : ~word.bits
    // It may share the bits with none.
    self.init(bits, isExact: word.isExact && bits != 0 && bits != .max)
  }

  /// The number of bytes of a text in a word.
  private static let textSize = 7
  /// The number of words of a text that are used beyond the first one.
  private static let depthLimit = 16

  private static func ascending<Value>(_ value: Value) -> SortWord {
    if Value.self == Int.self, let value = value as? Int { return SortWord(Int64(value)) }
    if Value.self == String.self, let value = value as? String { return SortWord(value.utf8[...]) }
    if Value.self == Double.self, let value = value as? Double { return SortWord(value) }
    if Value.self == Date.self, let value = value as? Date {
      return SortWord(value.timeIntervalSinceReferenceDate)
    }
    if Value.self == Float.self, let value = value as? Float { return SortWord(Double(value)) }
    if let value = value as? any FixedWidthInteger {
      let clamped = Int64(clamping: value)
      return SortWord(SortWord(clamped).bits, isExact: clamped < .max)
    }
    return SortWord(0, isExact: false)
  }

  private init(_ value: Int64) {
    self.init(UInt64(bitPattern: value) ^ 1 << 63, isExact: true)
  }

  private init(_ value: Double) {
    // NaN is smaller than any other number, and there are two zeros.
    let bits =
      value.isNaN
      ? 0 : value < 0 ? ~value.bitPattern : (value == 0 ? 0 : value.bitPattern) | 1 << 63
    self.init(bits, isExact: true)
  }

  /// Creates the word of the first seven bytes of a text, and of their number if there are no more.
  private init(_ text: Substring.UTF8View) {
    var (bits, count): (UInt64, UInt64) = (0, 0)
    for byte in text.prefix(8) {
      if count < 7 { bits |= UInt64(byte) << (56 - count * 8) }
      count += 1
    }
    self.init(bits | count, isExact: count < 8)
  }
}

extension SortTerm {
  /// Returns the numbers of some things in the order of terms.
  ///
  /// They are sorted by the words of their keys. Comparing keys of an erased type takes many times
  /// as long, and is left to things whose words are equal: see `kinship-bench views --only
  /// restored-view`.
  ///
  /// - Parameters:
  ///   - count: The number of the things.
  ///   - terms: The terms.
  ///   - words: Returns words of the keys of some things in a term.
  ///   - isBefore: Returns whether a thing is before another by all terms.
  /// - Returns: The numbers.
  package static func arrange(
    _ count: Int, by terms: [SortTerm],
    words: (_ numbers: ArraySlice<Int>, _ term: Int, SortWord.Form) -> [SortWord]?,
    isBefore: (Int, Int) -> Bool
  ) -> [Int] {
    var order = Array(0..<count)

    /// Sorts things that are equal in the terms before one, and in `depth` words of that term.
    func sort(_ range: Range<Int>, by term: Int, depth: Int = 0) {
      if range.count < 2 { return }
      guard term < terms.count,
        let list = words(
          order[range], term,
          SortWord.Form(
            depth: depth, isAscending: terms[term].direction == .ascending,
            nilsAreFirst: terms[term].nils == .first))
      else { return order[range].sort(by: isBefore) }
      var words = zip(list, order[range]).map { (word: $0, number: $1) }
      words.sort { $0.word.bits < $1.word.bits }
      for (offset, word) in words.enumerated() { order[range.lowerBound + offset] = word.number }
      var start = 0
      while start < words.count {
        var end = start + 1
        while end < words.count, words[end].word.bits == words[start].word.bits { end += 1 }
        let run = range.lowerBound + start..<range.lowerBound + end
        if words[start..<end].allSatisfy({ $0.word.isExact }) {
          sort(run, by: term + 1)
        } else {
          sort(run, by: term, depth: depth + 1)
        }
        start = end
      }
    }

    sort(0..<count, by: 0)
    return order
  }
}

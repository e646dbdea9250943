import Foundation

/// The properties of a person beside the id and the refs.
struct Profile {
  /// 17 to 23 bytes, so on the heap.
  let name: String
  /// At most 15 bytes, so within the record.
  let place: String
  let birth: Date

  init(number: Int) {
    let stretch = String(repeating: "e", count: number % 7)
    let digits = String(number + 100_000_000)
    name = "Alb\(stretch)rt \(digits.dropFirst()) II"
    place = "Windsor \(number % 10_000)"
    birth = Date(timeIntervalSinceReferenceDate: Double(number % 100_000) * -86_400)
  }
}

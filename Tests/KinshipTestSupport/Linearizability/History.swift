/// The concurrent operations of callers on one object, and its responses.
public struct History<Operation, Response> {
  /// One call.
  public struct Entry {
    /// The operation that was called.
    public let operation: Operation

    /// The moment of the call, in a logical time that each call and each return advance by one.
    public let invoked: Int

    /// The moment of the return, and the answer; `nil` if the operation has not returned or has
    /// thrown, so that its effect is unknown.
    public var returned: (time: Int, response: Response)?

    /// Creates the record of one call.
    ///
    /// - Parameters:
    ///   - operation: The operation that was called.
    ///   - invoked: The moment of the call.
    ///   - returned: The moment of the return, and the answer.
    public init(_ operation: Operation, invoked: Int, returned: (time: Int, response: Response)?) {
      self.operation = operation
      self.invoked = invoked
      self.returned = returned
    }
  }

  /// The calls, in any order.
  public var entries: [Entry]

  /// Creates a history.
  ///
  /// - Parameter entries: The calls, in any order.
  public init(_ entries: [Entry] = []) {
    self.entries = entries
  }
}

extension History: Sendable where Operation: Sendable, Response: Sendable {}
extension History.Entry: Sendable where Operation: Sendable, Response: Sendable {}

extension History: CustomStringConvertible {
  /// The calls as bars over logical time, each with its operation and its answer.
  public var description: String {
    let end = entries.map { max($0.invoked, $0.returned?.time ?? 0) + 1 }.max() ?? 0
    return entries.map { entry in
      let stop = entry.returned?.time ?? end
      let bar =
        String(repeating: " ", count: entry.invoked) + "|"
        + String(repeating: "-", count: max(0, stop - entry.invoked - 1))
        + (entry.returned == nil ? ">" : "|")
      let padding = String(repeating: " ", count: max(0, end + 1 - bar.count))
      let answer = entry.returned.map { "\($0.response)" } ?? "?"
      return "\(bar)\(padding) \(entry.operation) -> \(answer)"
    }.joined(separator: "\n")
  }
}

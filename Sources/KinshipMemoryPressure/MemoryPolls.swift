internal import Kinship

/// The pressure levels from the memory files of Linux.
package struct MemoryPolls: AsyncSequence, Sendable {
  package typealias Element = MemoryPressure.Level
  package typealias Failure = Never

  private let text: @Sendable (String) -> String?
  private let clock: any Clock<Duration>

  /// Creates a sequence.
  ///
  /// - Parameters:
  ///   - clock: The clock that times the looks.
  ///   - text: Returns the text of the file at a path, or `nil` if it does not exist.
  package init(
    clock: any Clock<Duration> = ContinuousClock(),
    text: @escaping @Sendable (String) -> String? = { SystemFiles().text(of: $0) }
  ) {
    self.clock = clock
    self.text = text
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(gauge: MemoryGauge(text), clock: clock, elapsed: clock.stopwatch(), text: text)
  }

  package struct Iterator: AsyncIteratorProtocol {
    var gauge: MemoryGauge
    let clock: any Clock<Duration>
    let elapsed: @Sendable () -> Duration
    let text: @Sendable (String) -> String?
    var rest: Duration?

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> MemoryPressure.Level? {
      while !Task.isCancelled {
        if let rest { do { try await clock.sleep(for: rest) } catch { return nil } }
        let look = gauge.look(at: elapsed(), text)
        rest = look.rest
        if let level = look.level { return level }
      }
      return nil
    }
  }
}

extension FileSystem {
  /// Returns the text of a file that the system generates on each read, and whose size is unknown
  /// before; `nil` if it cannot be read.
  package func text(of path: String) -> String? {
    guard let name = path.split(separator: "/").last,
      let file = try? openDirectory(parentPath(of: path)).open(String(name), .read)
    else { return nil }
    let chunkSize = 1 << 12
    var bytes: [UInt8] = []
    while bytes.count < 1 << 20 {
      let start = bytes.count
      bytes += [UInt8](repeating: 0, count: chunkSize)
      let count = bytes.withUnsafeMutableBytes { bytes in
        try? file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]), at: start)
      }
      guard let count else { return nil }
      bytes.removeLast(chunkSize - count)
      if count < chunkSize { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
public import Synchronization

/// A caller's closure that is running: its thread, and the place where it was passed.
///
/// This distinguishes the calls it makes from those of other threads, at the cost of one load each.
@usableFromInline
package struct RunningClosure: ~Copyable, Sendable {
  @usableFromInline let thread = Atomic<UInt>(0)
  /// The address of the file's name, which is valid for ever.
  private let file = Atomic<UInt>(0)
  private let line = Atomic<UInt>(0)

  package init() {}

  /// Whether there is one, on any thread.
  @inlinable
  package var isRunning: Bool { thread.load(ordering: .relaxed) != 0 }

  /// Whether there is one on the calling thread.
  @usableFromInline
  package var isHere: Bool { thread.load(ordering: .relaxed) == Self.currentThread }

  /// The place where it was passed.
  package var place: String {
    let name = UnsafePointer<UInt8>(bitPattern: file.load(ordering: .relaxed))
    return "\(name.map { String(cString: $0) } ?? ""):\(line.load(ordering: .relaxed))"
  }

  /// A closure begins on this thread; one at a time.
  @usableFromInline
  package func begin(_ file: StaticString, _ line: UInt) {
    let name = file.hasPointerRepresentation ? UInt(bitPattern: file.utf8Start) : 0
    self.file.store(name, ordering: .relaxed)
    self.line.store(line, ordering: .relaxed)
    thread.store(Self.currentThread, ordering: .relaxed)
  }

  /// The closure has ended.
  @inlinable
  package func end() { thread.store(0, ordering: .relaxed) }

  private static var currentThread: UInt {
    #if canImport(Glibc)
      pthread_self()
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}

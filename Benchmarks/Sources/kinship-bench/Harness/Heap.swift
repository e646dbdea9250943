import CHeapSize

/// The heap of this process.
enum Heap {
  /// The bytes that are handed out and not yet given back.
  static var bytesInUse: Int { Int(clamping: heap_size_in_use()) }

  /// Has the allocator put in order what was freed in many small pieces.
  ///
  /// It does so when something large is asked for: else whoever is measured next would pay for it.
  static func tidy() { blackHole([UInt8](repeating: 1, count: 1 << 20).count) }
}

import CHeapSize

/// The heap of this process.
enum Heap {
  /// The bytes that are handed out and not yet given back.
  static var bytesInUse: Int { Int(clamping: heap_size_in_use()) }
}

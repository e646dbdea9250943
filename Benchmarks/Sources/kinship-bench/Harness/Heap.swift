import CHeapSize

/// The heap of this process.
enum Heap {
  /// The allocated bytes that are not freed yet.
  static var bytesInUse: Int { Int(clamping: heap_size_in_use()) }

  /// The bytes in physical memory, which include pages that are mapped without the allocator.
  static var residentBytes: Int { Int(clamping: resident_size()) }

  /// Has the allocator merge the small pieces that were freed.
  ///
  /// It does so when a large piece is requested. Otherwise, the next measurement would include it.
  static func tidy() { blackHole([UInt8](repeating: 1, count: 1 << 20).count) }
}

/// Pages without another owner, whose values are released with this: once the lock is released.
final class DroppedPages: Sendable {
  /// A page to be released; its memory is given as a number, because pointers are not `Sendable`.
  struct Page: Sendable {
    let address: UInt
    let owner: Int
    /// A bit for each place that holds a value.
    let occupied: UInt64

    init(_ base: UnsafeMutableRawPointer, owner: Int, occupied: UInt64) {
      address = UInt(bitPattern: base)
      self.owner = owner
      self.occupied = occupied
    }
  }

  private let layouts: [Pages.Layout]
  private let pages: [Page]

  init(_ pages: [Page], layouts: [Pages.Layout]) {
    self.pages = pages
    self.layouts = layouts
  }

  deinit {
    for page in pages {
      guard let base = UnsafeMutableRawPointer(bitPattern: page.address) else { continue }
      layouts[page.owner].deinitialize(base, page.occupied)
      base.deallocate()
    }
  }
}

extension Pages {
  /// Releases all pages, with the values in them.
  ///
  /// - Complexity: O(*n*) in the pages.
  mutating func removeAll() -> DroppedPages {
    var dropped: [DroppedPages.Page] = []
    for page in 0..<bases.count {
      guard let base = bases[page] else { continue }
      let header = headers[page]
      dropped.append(
        DroppedPages.Page(base, owner: Int(header.owner), occupied: header.occupied))
      bases[page] = nil
    }
    let layouts = layouts
    self = Pages(layouts: layouts)
    return DroppedPages(dropped, layouts: layouts)
  }
}

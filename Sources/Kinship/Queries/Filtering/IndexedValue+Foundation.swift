#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Date: IndexedValue {}
extension UUID: IndexedValue {}

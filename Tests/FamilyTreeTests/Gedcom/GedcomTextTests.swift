import KinshipProgram
import Testing

@testable import family_tree

struct GedcomTextTests {
  @Test(arguments: [
    ("@I1@", "@I1@"), (" @I1@ ", "@I1@"), ("@VOID@", "@VOID@"), ("@@", nil), ("@", nil), ("", nil),
    ("@#DJULIAN@", nil), ("@I1@ x", nil), ("@I1@@", nil), ("I1", nil),
  ])
  func `a pointer is text between at signs`(value: String, pointer: String?) {
    #expect(GedcomText.pointer(value) == pointer)
  }

  @Test(arguments: [
    ("a@@b", "a@b", "a@@b"), ("@@a", "@a", "@a"), ("@@@@", "@@", "@@@"), ("a@b", "a@b", "a@b"),
    ("@", "@", "@"), ("@@ and @@", "@ and @", "@ and @@"),
    ("@@a\n@@b@@\nc@@", "@a\n@b@\nc@", "@a\n@b@@\nc@@"),
  ])
  func `doubled at signs become one`(value: String, version5: String, version7: String) {
    #expect(GedcomText.unescaped(value, isVersion7: false) == version5)
    #expect(GedcomText.unescaped(value, isVersion7: true) == version7)
  }

  @Test(arguments: [
    ("  a \t b\n c ", "a b c"), ("a\u{1B}[31mb", "a[31mb"), ("a\u{0}b\u{7F}", "ab"),
    ("a\u{202E}b", "ab"), ("\u{FFFE}\u{FFFF}", ""), ("ชื่อ", "ชื่อ"), ("", ""),
  ])
  func `text shown is safe for terminals and XML`(text: String, readable: String) {
    #expect(text.readable == readable)
  }

  @Test func `long text is cut short in messages`() {
    #expect("a".quoted == "“a”")
    #expect(String(repeating: "a", count: 90).quoted.count == 43)
  }
}

import KinshipProgram
import Testing

struct TextMeasureTests {
  private let measure = TextMeasure(size: 10)

  @Test func `text that fits is not cut`() {
    #expect(measure.fit("Ann", width: 100) == "Ann")
    #expect(measure.fit("", width: 0) == "")
  }

  @Test func `text that does not fit is cut to the width`() {
    let text = "Wilhelmina Friederike Sophie, Duchess of Saxe-Coburg"
    for width in stride(from: 20.0, to: 400.0, by: 7) {
      let fit = measure.fit(text, width: width)
      #expect(measure.width(fit) <= width)
      #expect(fit == text || fit.hasSuffix("…"))
      #expect(!fit.hasSuffix(" …") && !fit.hasSuffix(",…"))
    }
  }

  @Test func `accents take no width`() {
    #expect(measure.width("Řehoř") == measure.width("Rehor"))
    #expect(TextMeasure(size: 10, isBold: true).width("a") > measure.width("a"))
  }
}

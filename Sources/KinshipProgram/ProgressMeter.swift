/// Shows the progress of work that takes long.
package struct ProgressMeter {
  private let console: any Console
  private let activity: String
  private var next: ContinuousClock.Instant
  private var isShown = false

  package init(_ activity: String, on console: any Console, now: ContinuousClock.Instant = .now) {
    self.activity = activity
    self.console = console
    next = now + .milliseconds(300)
  }

  package mutating func update(_ share: Double, now: ContinuousClock.Instant = .now) {
    guard now >= next else { return }
    next = now + .milliseconds(100)
    isShown = true
    console.show(progress: "\(activity) \(Int(share * 100)) %")
  }

  package mutating func end() {
    if isShown { console.show(progress: nil) }
    isShown = false
  }
}

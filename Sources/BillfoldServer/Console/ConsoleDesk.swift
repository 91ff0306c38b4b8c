package import BillfoldWeb

/// What one server adds to the console: pages, what operators do there, and what waits for a person.
package protocol ConsoleDesk: Sendable {
    /// What the desk's pages and alarms are drawn with; `nil` where it has none of its own.
    var pages: PageSet? { get }
    /// The desk's place in the head of every page; `nil` where it has no page of its own.
    var link: PageFrame.Link? { get }
    /// What it keeps of what a story is about; `nil` where it keeps nothing of that id.
    ///
    /// - Parameters:
    ///   - id: The case's.
    ///   - name: Of the correlation id, such as `order`.
    func subject(_ id: String, knownBy name: String, for reader: ConsoleReader) async throws -> StorySubject?
    /// Whether anything of it can wait for a person.
    var raisesAlarms: Bool { get }
    /// Adds the pages, and the routes that their scripts call.
    func mount(in room: ConsoleRoom)
    /// What waits for a person; of a desk that raises alarms also that nothing does.
    func alarms(for reader: ConsoleReader) async throws -> [AlarmSection]
    /// Marks a payment's alarm as dealt with, and writes who did it and the remark to a trail. Returns false where the desk has no open alarm
    /// of that name.
    func clear(_ alarm: String, of payment: String, remark: String, by person: String) async throws -> Bool
}

extension ConsoleDesk {
    package var pages: PageSet? { nil }
    package var link: PageFrame.Link? { nil }
    package func subject(_ id: String, knownBy name: String, for reader: ConsoleReader) async throws -> StorySubject? { nil }
    package var raisesAlarms: Bool { false }
    package func mount(in room: ConsoleRoom) {}
    package func alarms(for reader: ConsoleReader) async throws -> [AlarmSection] { [] }
    package func clear(_ alarm: String, of payment: String, remark: String, by person: String) async throws -> Bool { false }
}

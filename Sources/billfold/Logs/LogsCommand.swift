import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import BillfoldTrace
import Foundation
import NIOHTTP1

/// `billfold logs`: what the parties of the running servers say to each other, line by line.
struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Follow what the parties of the running servers say to each other.",
        discussion: """
            The console's stories as lines: time, from whom to whom, what, and why it was refused. It reads the console of the data folder, \
            which in test mode is open to this machine; where everybody has to sign in, look there.
            """)

    @Option(help: "Only what this party says or hears, such as merchant or gateway; a part of the name is enough.") var party: String?
    @Option(help: "Only the story with this value, such as an order's number.") var story: String?
    @Flag(help: "Only what was refused, and what a fault plan did.") var problems = false
    @Flag(help: "Say what there is, and end.") var once = false
    @Option(help: "So many of the latest stories are read at the start.") var last = 20
    @OptionGroup var place: SandboxPlace
    @Flag(help: "Print each message as one line of JSON.") var json = false

    func validate() throws {
        guard (1...500).contains(last) else { throw ValidationError("--last is 1 to 500.") }
    }

    func run() async throws {
        do {
            let console = try place.addresses.origin(of: .console)
            var following = StoryFollowing(console: console, limit: last)
            while true {
                for entry in try await following.news().filter(isWanted) { tell(entry) }
                fflush(nil)
                if once { return }
                try await Task.sleep(for: .milliseconds(500))
            }
        } catch { throw CommandFailure.ended(error, asJSON: json) }
    }

    private func isWanted(_ entry: TraceEntry) -> Bool {
        if problems, entry.problem == nil { return false }
        if let party, ![entry.from, entry.to].contains(where: { $0.rawValue.localizedCaseInsensitiveContains(party) }) { return false }
        guard let story else { return true }
        return entry.correlation.values.contains { $0.utf8.elementsEqual(story.utf8) }
    }

    private func tell(_ entry: TraceEntry) {
        if json {
            let value = try? JSONValue(encoding: entry)
            print(value.map { String(decoding: JSONWriter.write($0), as: UTF8.self) } ?? "")
            return
        }
        print(DiagnosisText.printable(Self.line(entry)))
    }

    static func line(_ entry: TraceEntry) -> String {
        let time = Date(timeIntervalSince1970: TimeInterval(entry.at / 1_000_000)).ISO8601Format()
        let arrow = entry.kind == .response ? "⇠" : "→"
        let names = entry.correlation.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        let parties = entry.kind == .note ? entry.from.rawValue : "\(entry.from.rawValue) \(arrow) \(entry.to.rawValue)"
        return [time, parties, entry.title, names, entry.problem.map { "! \($0)" } ?? ""].filter { !$0.isEmpty }.joined(separator: "  ")
    }
}

/// Reads a console's stories again and again, and tells each message once.
struct StoryFollowing {
    private struct Summary: Decodable {
        var id: String
        var entries: Int
    }

    private struct Stories: Decodable { var stories: [Summary] }
    private struct Story: Decodable { var entries: [TraceEntry] }

    private let console: String
    private let limit: Int
    /// The messages of each story that were told. Two stories may become one: a message is told once all the same.
    private var told: [String: Set<String>] = [:]

    init(console: String, limit: Int) { (self.console, self.limit) = (console, limit) }

    /// What is new since the last time, by its time.
    mutating func news() async throws -> [TraceEntry] {
        let stories = try await get("/api/stories?limit=\(limit)", as: Stories.self).stories
        var news: [TraceEntry] = []
        for summary in stories where told[summary.id]?.count != summary.entries {
            let id = summary.id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? summary.id
            // A story may go before it is read: the console keeps the latest.
            guard let story = try await getIfThere("/api/stories/\(id)", as: Story.self) else { continue }
            news += story.entries.filter { entry in !told.values.contains { $0.contains(entry.id) } }
            told[summary.id] = Set(story.entries.map(\.id))
        }
        // What the console has let go comes no more.
        let there = Set(stories.map(\.id))
        told = told.filter { there.contains($0.key) }
        return news.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
    }

    private func get<Value: Decodable>(_ path: String, as type: Value.Type) async throws -> Value {
        guard let value = try await getIfThere(path, as: type) else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the console has no stories")
        }
        return value
    }

    private func getIfThere<Value: Decodable>(_ path: String, as type: Value.Type) async throws -> Value? {
        let answer = try await LocalClient.send(.GET, console + path)
        if answer.status == 404 { return nil }
        guard answer.status == 200 else {
            _ = try answer.object()
            throw CommandFailure(
                .refused, code: "sign-in-required", reason: "this console lets nobody look who did not sign in: \(console)/")
        }
        guard let value = try? JSONDecoder().decode(type, from: Data(answer.body)) else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the console's answer cannot be read")
        }
        return value
    }
}

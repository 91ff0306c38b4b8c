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
            which in test mode is open to this machine; where everybody has to sign in, look there. It goes on until you end it with \
            Ctrl-C; with --once it says what there is, and ends.
            """)

    @Option(help: "Only what this party says or hears, such as merchant or gateway; a part of the name is enough.") var party: String?
    @Option(help: "Only the story that has this name: an order's number or id, your own reference, a payment's id; of all that are kept.")
    var story: String?
    @Flag(help: "Only what was refused, and what a fault plan did.") var problems = false
    @Flag(help: "Say what there is, and end. Without it more is told as it comes, until Ctrl-C.") var once = false
    @Option(
        help:
            "So many of the latest stories are read at the start, 1 to 500: 20 without it, and with --problems as many as there may be, 500."
    )
    var last: Int?
    @OptionGroup var place: SandboxPlace
    @Flag(help: "Print each message as one line of JSON.") var json = false

    func validate() throws {
        guard (1...500).contains(reach) else { throw ValidationError("--last is 1 to 500.") }
    }

    /// How many stories are looked at. Of what was refused there is little, and others' stories soon lie above it.
    private var reach: Int { last ?? (problems ? 500 : 20) }

    func run() async throws {
        do {
            let console = try await place.running().origin(of: .console)
            var following = StoryFollowing(console: console, limit: reach, story: story, isOfProblems: problems)
            if !once { say("following; Ctrl-C ends it") }
            while true {
                let news = try await following.news()
                let wanted = news.filter(isWanted)
                for entry in wanted { tell(entry) }
                fflush(nil)
                if once { return try end(sayingNothing: wanted.isEmpty, of: news, following) }
                try await Task.sleep(for: .milliseconds(500))
            }
        } catch { throw CommandFailure.ended(error, asJSON: json) }
    }

    private func end(sayingNothing: Bool, of news: [TraceEntry], _ following: StoryFollowing) throws {
        if let story, !following.hasFound {
            throw CommandFailure(.refused, code: "unknown-story", reason: "no story that the console keeps has the name '\(story)'")
        }
        guard sayingNothing else { return }
        let parties = Set(news.flatMap { [$0.from.rawValue, $0.to.rawValue] }).sorted().joined(separator: ", ")
        let heard = party == nil || parties.isEmpty ? "" : "; those who say or hear something there are \(parties)"
        say("nothing is such in " + (story == nil ? "the last \(reach) stories" : "this story") + heard)
    }

    /// A line for people, beside what programs read.
    private func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    private func isWanted(_ entry: TraceEntry) -> Bool {
        if problems, entry.problem == nil { return false }
        guard let party else { return true }
        return [entry.from, entry.to].contains { $0.rawValue.localizedCaseInsensitiveContains(party) }
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
        var problems: Int
    }

    private struct Stories: Decodable { var stories: [Summary] }
    private struct Story: Decodable { var entries: [TraceEntry] }

    private let console: String
    private let limit: Int
    /// The name of the only story that is read; `nil` for the latest.
    private let name: String?
    /// Whether a story in which nothing went wrong is passed over.
    private let isOfProblems: Bool
    /// Whether there was a story to read.
    private(set) var hasFound = false
    /// The messages of each story that were told. Two stories may become one: a message is told once all the same.
    private var told: [String: Set<String>] = [:]

    init(console: String, limit: Int, story name: String? = nil, isOfProblems: Bool = false) {
        (self.console, self.limit, self.name, self.isOfProblems) = (console, limit, name, isOfProblems)
    }

    /// What is new since the last time, by its time.
    mutating func news() async throws -> [TraceEntry] {
        if let name { return try await news(of: name) }
        let stories = try await get("/api/stories?limit=\(limit)", as: Stories.self).stories
        var news: [TraceEntry] = []
        for summary in stories where told[summary.id]?.count != summary.entries && (!isOfProblems || summary.problems > 0) {
            // A story may go before it is read: the console keeps the latest.
            guard let story = try await story(summary.id) else { continue }
            news += story.entries.filter { entry in !told.values.contains { $0.contains(entry.id) } }
            told[summary.id] = Set(story.entries.map(\.id))
        }
        // What the console has let go comes no more.
        let there = Set(stories.map(\.id))
        told = told.filter { there.contains($0.key) }
        return news.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
    }

    /// The console finds a story by each of its names.
    private mutating func news(of name: String) async throws -> [TraceEntry] {
        guard let story = try await story(name) else { return [] }
        hasFound = true
        let news = story.entries.filter { told[name]?.contains($0.id) != true }
        told[name] = Set(story.entries.map(\.id))
        return news.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
    }

    private func story(_ name: String) async throws -> Story? {
        let segment = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
        return try await getIfThere("/api/stories/\(segment)", as: Story.self)
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

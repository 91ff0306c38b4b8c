import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import BillfoldWeb
import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// A capability that nobody else knows: cups are asked for over the public API, a worker fills them, a page of the console shows them, and
/// two persons agree to empty one.
struct CupsCapability: Capability {
    static let role: ServerRole = "cups"
    static let place = CapabilityPlace.ours
    static let stores = [
        StoreKind(
            name: "cups", owner: "the cups' server",
            own: [
                Migration("cups-0001-cups", ["CREATE TABLE cups (name TEXT NOT NULL PRIMARY KEY, is_filled BIGINT NOT NULL)"])
            ])
    ]

    static let journey: Journey? = Journey(
        slug: "cups", title: "Fill a cup", summary: "Somebody asks for a cup, and it is filled.", usedBy: "thirsty",
        roles: [.init(party: "guest", name: "Guest", duty: "Asks.", isOurs: false)],
        steps: [.init(title: "A cup is asked for", text: "By its name.")],
        example: [("guest", "guest", .note, "asks for a cup", [])], families: ["cups"], casePage: .init(id: "cups.name", path: "/cups"))

    func part(of process: ServingProcess) async throws -> CapabilityPart {
        let shelf = CupShelf(store: try await process.store(Self.stores[0], at: nil, file: "cups.sqlite", flag: "--cups-database"))
        var part = CapabilityPart()
        part.routes = [
            { router in
                router.post("/cups/{name}") { _, context in
                    try await shelf.ask(for: context.pathPart("name"))
                    return Response(status: .created)
                }
            }
        ]
        part.workers = [CupFiller(shelf: shelf)]
        part.announcements = ["cups:    \(process.addresses[Self.role].origin)/cups"]
        var console = ConsoleShare()
        console.desks = [CupDesk(shelf: shelf)]
        console.actions = ["cup-emptying": shelf.emptying]
        part.console = console
        return part
    }
}

/// The table.
struct CupShelf: Sendable {
    struct Cup: Sendable {
        let name: String
        let isFilled: Bool
    }

    let store: any Database

    func ask(for name: String) async throws {
        try await store.write { tx in
            _ = try tx.execute("INSERT INTO cups (name, is_filled) VALUES (?, 0) ON CONFLICT (name) DO NOTHING", [.text(name)])
        }
    }

    func fill() async throws { try await store.write { tx in _ = try tx.execute("UPDATE cups SET is_filled = 1 WHERE is_filled = 0", []) } }

    func cups() async throws -> [Cup] {
        try await store.read { tx in
            try tx.query("SELECT name, is_filled FROM cups ORDER BY name", []).map {
                Cup(name: try $0.text(0), isFilled: try $0.integer(1) == 1)
            }
        }
    }

    /// What two persons agree on.
    var emptying: ApprovalAction {
        ApprovalAction(
            read: { subject, _ in .init(detail: .init(), lines: [.init("Cup", subject)]) },
            run: { request in
                try await store.write { tx in _ = try tx.execute("DELETE FROM cups WHERE name = ?", [.text(request.subject)]) }
                return "emptied"
            })
    }
}

/// The worker.
private struct CupFiller: Service {
    let shelf: CupShelf

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await shelf.fill()
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}

/// The page.
private struct CupDesk: ConsoleDesk {
    /// What `console/cups` names.
    struct Page: Sendable {
        let cups: [CupShelf.Cup]
    }

    /// What `console/cup` names.
    struct Part: Sendable {
        let cup: CupShelf.Cup
    }

    let shelf: CupShelf

    var pages: PageSet? { .cups }
    var link: PageFrame.Link? { .init("Cups", path: "/cups") }

    func subject(_ id: String, knownBy name: String, for reader: ConsoleReader) async throws -> StorySubject? {
        guard name == "cups.name", let cup = try await shelf.cups().first(where: { $0.name == id }) else { return nil }
        return StorySubject(
            id: id, name: cup.name, label: "Cup", standing: StateWord(cup.isFilled ? "done" : "open"), template: "console/cup",
            values: Part(cup: cup))
    }

    func mount(in room: ConsoleRoom) {
        room.page("/cups") { [shelf] _, _, reader in
            try await reader.frame.render("console/cups", of: .cups, title: "Cups", path: "/cups", Page(cups: shelf.cups()))
        }
    }
}

extension PageSet {
    fileprivate static let cups = PageSet(.module)
}

package import BillfoldTrace

/// One way that money or trust travels between parties, as the console explains it. A capability brings its own.
package struct Journey: Sendable {
    /// Someone who takes part, and whether we operate it or the sandbox plays it.
    package struct Role: Sendable {
        package var party: Party
        package var name: String
        /// At the head of its lifeline, where there is little room.
        package var shortName: String
        package var duty: String
        package var isOurs: Bool

        /// - Parameter shortName: Its name, where it is left out.
        package init(party: Party, name: String, shortName: String? = nil, duty: String, isOurs: Bool) {
            (self.party, self.name, self.shortName) = (party, name, shortName ?? name)
            (self.duty, self.isOurs) = (duty, isOurs)
        }
    }

    package struct Step: Sendable {
        package var title: String
        package var text: String

        package init(title: String, text: String) { (self.title, self.text) = (title, text) }
    }

    /// What its page calls what it shows.
    package struct Words: Sendable {
        /// Over the diagram of how it goes.
        var example: String
        /// The button that leads to where it is tried.
        var start: String
        /// Over the stories, and instead of them.
        var latest: String
        var none: String
        var first: String

        package init(
            example: String = "One payment, when all goes well", start: String = "Open the shop", latest: String = "Latest orders",
            none: String = "No order yet.", first: String = "Make one in the shop."
        ) {
            (self.example, self.start, self.latest, self.none, self.first) = (example, start, latest, none, first)
        }
    }

    /// Where each case has a page that shows its story and what is kept of it.
    package struct CasePage: Sendable, Hashable {
        /// The correlation id that a case is known by, for example `order`.
        package var id: String
        /// The page's path without its last part, which is the value of that id: for example `/orders`.
        package var path: String

        package init(id: String, path: String) { (self.id, self.path) = (id, path) }

        package func path(of value: String) -> String { "\(path)/\(PathSegment.encoded(value))" }
    }

    /// A message of the example.
    package typealias Row = (from: Party, to: Party, kind: TraceEntry.Kind, title: String, fields: [TraceEntry.Field])

    /// Part of the page's path: `/journeys/{slug}`.
    package var slug: String
    package var title: String
    package var summary: String
    package var usedBy: String
    package var roles: [Role]
    package var steps: [Step]
    package var words: Words
    /// How it goes when nothing goes wrong; drawn on its page.
    package var example: [TraceEntry]
    /// The families of its stories' correlation ids: the part before the point.
    package var families: Set<String>
    /// The correlation ids that people know its cases by, the best first.
    /// One that ends in a full stop stands for every id that begins with it.
    package var names: [String]
    /// The correlation id that every case has: its page lists no story without. `nil` lists them all.
    package var caseID: String?
    /// `nil` where the stories' pages are all that there is.
    package var casePage: CasePage?

    package init(
        slug: String, title: String, summary: String, usedBy: String, roles: [Role], steps: [Step], words: Words = Words(), example: [Row],
        families: Set<String>, names: [String] = [], caseID: String? = nil,
        casePage: CasePage? = nil
    ) {
        (self.slug, self.title, self.summary, self.usedBy) = (slug, title, summary, usedBy)
        (self.roles, self.steps, self.words) = (roles, steps, words)
        (self.families, self.names, self.caseID, self.casePage) = (families, names, caseID, casePage)
        self.example = example.enumerated().map { index, row in
            TraceEntry(
                id: "step-\(index + 1)", at: Int64(index), from: row.from, to: row.to, kind: row.kind, title: row.title, fields: row.fields)
        }
    }
}

/// The journeys of an installation, in the order in which they are shown. A journey may run on those before it.
package struct Journeys: Sendable {
    package let all: [Journey]

    package init(_ all: [Journey] = []) { self.all = all }

    package subscript(slug: String) -> Journey? { all.first { $0.slug == slug } }

    /// The journey that a story with these correlation ids happened on.
    ///
    /// A story may hold ids of several: a mini program's run makes an express order, and a wallet of the sheet pays as Alipay. It belongs to
    /// the one that runs on the others, which stands behind them; nil where no journey knows its ids, or it has none.
    ///
    /// - Parameter namespaces: Of the ids, such as `alipay.order`.
    package func owner(of namespaces: some Sequence<String>) -> Journey? {
        let known = Set(namespaces.map { String($0.prefix { $0 != "." }) })
        return all.last { !$0.families.isDisjoint(with: known) }
    }

    /// The cases that a story with these correlation ids is about and that have pages, each with its page.
    package func cases(of correlation: [String: Set<String>]) -> [(page: Journey.CasePage, id: String)] {
        all.compactMap(\.casePage).flatMap { page in (correlation[page.id] ?? []).sorted().map { (page: page, id: $0) } }
    }

    /// What parties are called at the heads of lifelines: as the journey has it, and else as the first does that knows them.
    func shortNames(on journey: Journey?) -> [Party: String] {
        let roles = (journey?.roles ?? []) + all.flatMap(\.roles)
        return Dictionary(roles.map { ($0.party, $0.shortName) }) { first, _ in first }
    }

    /// What people know a story by; `nil` where it has no id that a case is known by.
    package func name(of correlation: [String: Set<String>]) -> String? {
        let namespaces = (owner(of: correlation.keys)?.names ?? []) + all.flatMap(\.names)
        return namespaces.lazy.compactMap { name in
            guard name.hasSuffix(".") else { return correlation[name]?.min() }
            return correlation.filter { $0.key.hasPrefix(name) }.values.compactMap { $0.min() }.min()
        }.first
    }
}

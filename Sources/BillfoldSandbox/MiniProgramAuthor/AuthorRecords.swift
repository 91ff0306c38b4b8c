/// A user who signed in at the author's server. The session itself is nowhere: its hash is the id.
struct AuthorSession: PartyDocument {
    static let kind = "author.session"
    var id: String
    var appID: String
    /// The user's id at the wallet.
    var userID: String
    var name: String?
    var scopes: [String]
    /// Milliseconds since 1970.
    var madeAt: Int64
}

/// Whose a code was, for a sign-in that arrives twice: the wallet exchanges a code once. The code's hash is the id.
struct AuthorExchange: PartyDocument {
    static let kind = "author.exchange"
    var id: String
    var session: AuthorSession
}

/// An order that was made for a mini program.
struct AuthorOrder: PartyDocument {
    static let kind = "author.order"
    /// Its number at the merchant.
    var id: String
    /// The user's id at the wallet; nil for one who did not sign in.
    var userID: String?
    var subject: String
    var price: ExpressMoney
}

/// What became of a mini program's publication.
struct AuthorPublication: PartyDocument {
    static let kind = "author.publication"

    struct Code: Sendable, Codable, Hashable {
        var deepLink: String
        var content: String
    }

    static let unpublished = "unpublished"

    /// The mini program's.
    var id: String
    /// Of what the version holds.
    var content: String
    /// Three numbers.
    var version: String
    /// The same with the platform's stamp, once it is there.
    var releaseVersion: String?
    /// As the platform names it.
    var state = AuthorPublication.unpublished
    var codes: [Code] = []
}

/// The bodies of the author's own interface, `/author/v1`. Unknown members are refused.
enum AuthorWire {
    struct SignIn: Codable, StrictBody {
        static let members = ["authCode", "appId"]
        var authCode: String
        /// Whose code it is; without it the first program's.
        var appId: String?
    }

    struct Session: Codable, Sendable {
        /// A bearer of the author's own.
        var session: String
        /// Of what the wallet told.
        var scopes: [String]
        var name: String?
        var userId: String
    }

    /// What `my.tradePay` is handed. A trade's number takes a user who has signed in: the trade is made for that buyer.
    enum Form: String, Codable, Sendable { case orderStr, paymentUrl, tradeNO }

    struct Placing: Codable, StrictBody {
        static let members = ["session", "offer", "form"]
        var session: String?
        var offer: String
        var form: Form
    }

    /// What the mini program hands to `my.tradePay`: one of the three.
    struct Order: Codable, Sendable {
        var number: String
        var subject: String
        var price: ExpressMoney
        var orderStr: String?
        var paymentUrl: String?
        var tradeNO: String?
    }

    struct Asking: Codable, StrictBody {
        static let members: [String] = []
    }

    struct State: Codable, Sendable {
        var number: String
        var state: ExpressOrderRecord.State
    }

    struct Programs: Codable, Sendable {
        struct Program: Codable, Sendable {
            var appId: String
            var name: String
            var kind: AuthorProgram.Kind
            /// With the platform's stamp, once it is there.
            var version: String?
            var state: String
            var codes: [AuthorPublication.Code]
        }
        var programs: [Program]
    }
}

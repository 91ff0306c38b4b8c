import BillfoldMoney
import BillfoldPayments

/// What wallets ask for over the link, as it was read.
enum LinkRequest {
    struct Order: Sendable {
        enum Name: Sendable {
            /// An order string, as its merchant signed it.
            case text(String)
            /// The number of a trade that the merchant has made.
            case trade(String)
        }

        var requestID: String
        var name: Name
        var channel: String
    }

    struct Open: Sendable {
        var requestID: String
        var ref: String
        var buyer: Trade.Buyer
    }

    struct Pay: Sendable {
        var requestID: String
        var tradeNo: String
        var buyerID: String
        var amount: Amount
        var funds: [Trade.Fund]

        /// Over everything that has meaning.
        var fingerprint: RequestFingerprint {
            RequestFingerprint(texts: [tradeNo, buyerID, amount.description] + funds.map { "\($0.channel) \($0.amount)" })
        }
    }
}

import BillfoldMoney
import Foundation
import Testing
import UnionPay
import X509

struct UnionPayExample {
    // Example
    struct UnionPayShop {
        let signer: UnionPaySigner
        let verifier: UnionPayVerifier

        init(key: Certificate.PrivateKey, certificate: Certificate, roots: [Certificate], intermediates: [Certificate] = []) throws {
            signer = try UnionPaySigner(key: key, certificate: certificate)
            verifier = UnionPayVerifier(trust: UnionPayTrust(anchors: roots, intermediates: intermediates))
        }

        /// What the shop posts to UnionPay: the order's own amount, and the card as the token had it.
        func body(of key: TransactionKey, total: Amount, card: CardTransactionData) throws -> String {
            let consume = ConsumeRequest(key: key, amount: total, card: card, backURL: "https://shop.example/unionpay/notify")
            return try FormBody.encode(consume.signed(by: signer))
        }

        /// What UnionPay answers at once. Accepted is not paid.
        func isAccepted(_ answer: [UInt8], to key: TransactionKey, at now: Date) throws -> Bool {
            let reply = try Unverified<AcceptanceReply>(ReplyBody.decode(answer)).verified(by: verifier, at: now)
            return try reply.bound(to: key, .consume).outcome(of: .first) == .accepted
        }

        /// What UnionPay posts to the shop once the money moved.
        func isPaid(_ post: [UInt8], key: TransactionKey, total: Amount, at now: Date) throws -> Bool {
            let told = try Unverified<PaymentNotification>(FormBody.decode(post)).verified(by: verifier, at: now)
            return told.isSuccess && told.transactionType == .consume && told.key == key && told.amount == total
        }
    }
    // End

    @Test func example() throws {
        let (gateway, now) = (try UnionPayGateway(), UnionPayGateway.now)
        let shop = try UnionPayShop(key: gateway.merchantKey, certificate: gateway.merchantCertificate, roots: [gateway.root])
        let key = try TransactionKey(
            merchant: MerchantID("777290058167151"), order: OrderID("ORDER12345"), time: BeijingTime("20261120200000"))
        let (total, other) = (try Amount("33.00", currency: .cny), try Amount("34.00", currency: .cny))

        let consume = try gateway.consume(in: shop.body(of: key, total: total, card: UnionPayGateway.card))
        #expect(consume.key == key && consume.amount == total)
        #expect(try shop.isAccepted(gateway.answer(to: key, code: "00"), to: key, at: now))
        #expect(try !shop.isAccepted(gateway.answer(to: key, code: "60"), to: key, at: now))
        let post = try gateway.notification(of: key, amount: total)
        #expect(try shop.isPaid(post, key: key, total: total, at: now))
        #expect(try !shop.isPaid(post, key: key, total: other, at: now))
        let forged = String(decoding: post, as: UTF8.self).replacing("txnAmt=3300", with: "txnAmt=3400")
        #expect(throws: UnionPayError.self) { try shop.isPaid(Array(forged.utf8), key: key, total: other, at: now) }
    }
}

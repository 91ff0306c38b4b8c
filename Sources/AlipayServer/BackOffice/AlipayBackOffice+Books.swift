import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
public import BillfoldWeb
import HTTPTypes

extension AlipayBackOffice {
    /// A day's books are read whole.
    private static let mostBytes = 64 * 1_048_576
    /// Refunds that reach the wallet later than this many days are looked for on no further day.
    private static let mostDays = 8

    public func books(of day: String?, wallet: String?) async throws -> GatewayBooks? {
        let configuration = context.configuration
        let text = day ?? ChinaTime.dayText(context.clock.now())
        guard text.utf8.count == 10, let range = ChinaTime.range(ofDay: text),
            let peer = wallet.map({ context.wallet($0) }) ?? configuration.wallets.first
        else { return nil }
        let (ours, refunds) = try await context.database.read { tx in
            (try WalletBooks.entries(of: peer.id, on: range, in: tx), try RefundRecords.booked(wallet: peer.id, in: range, in: tx))
        }
        func answer(_ lines: [GatewayBooks.Line], _ totals: [GatewayBooks.Total], problem: String? = nil) -> GatewayBooks {
            GatewayBooks(
                day: text, wallet: peer.id, wallets: configuration.wallets.map(\.id), lines: lines, totals: totals, problem: problem)
        }
        do throws(Unread) {
            let theirs = try await ask(peer, for: text)
            var comparison = BooksReconciliation(gateway: ours, wallet: theirs)
            let missing = Set(BooksReconciliation.missing(ours, in: theirs).map(\.requestId))
            comparison.underWay = Set(refunds.filter { $0.state == .booked }.map(\.id.description))
            // The wallet counts a refund to the day on which its customer had it.
            let late = refunds.filter { missing.contains($0.id.description) }.compactMap(\.creditedAt).map(ChinaTime.dayText)
            var days = Set(late)
            if !missing.isEmpty { days.formUnion([range.lowerBound.advanced(by: .seconds(-1)), range.upperBound].map(ChinaTime.dayText)) }
            for day in days.subtracting([text]).sorted().prefix(Self.mostDays) {
                comparison.elsewhereAtWallet += try await ask(peer, for: day)
            }
            comparison.elsewhereAtGateway = try await counterparts(of: BooksReconciliation.missing(theirs, in: ours), peer.id)
            guard
                let totals = try? [
                    BooksReconciliation.total("gateway", ours), BooksReconciliation.total(peer.id, theirs),
                ]
            else { throw Unread(reason: "an amount of its books is none in CNY") }
            return answer(comparison.lines, totals)
        } catch {
            return answer([], [], problem: error.reason)
        }
    }

    /// Why nothing is known of a wallet's books.
    private struct Unread: Error {
        var reason: String
    }

    private func counterparts(of entries: [WalletBooks.Entry], _ wallet: String) async throws(Unread) -> [WalletBooks.Entry] {
        do {
            return try await context.database.read { tx in
                try entries.compactMap { try WalletBooks.counterpart(of: $0, wallet: wallet, in: tx) }
            }
        } catch { throw Unread(reason: "the gateway's own books cannot be read now") }
    }

    private func ask(_ wallet: AlipayServerConfiguration.Wallet, for day: String) async throws(Unread) -> [WalletBooks.Entry] {
        let request = OutgoingRequest(
            method: .get, url: "\(wallet.origin)/wallet/link/v1/books?day=\(day)",
            headers: [.authorization: "Bearer \(wallet.credential.reveal())"], destination: .configured,
            timeout: context.configuration.notificationTimeout, maximumAnswerBytes: Self.mostBytes)
        let received: OutgoingAnswer
        do throws(SendFailure) { received = try await context.http.send(request) } catch {
            throw Unread(reason: "the wallet cannot be reached (\(error.code))")
        }
        guard received.status == .ok else { throw Unread(reason: "the wallet answered \(received.status.code)") }
        guard let books = try? StoredDocument.decode(WalletBooks.self, received.body) else {
            throw Unread(reason: "the wallet's answer is no book")
        }
        return books.entries
    }
}

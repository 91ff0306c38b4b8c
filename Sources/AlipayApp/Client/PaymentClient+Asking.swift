import Alipay

/// Asking the merchant's server, and telling what came of it.
extension PaymentClient {
    /// Something came back for a payment, or its cashier is gone.
    func answered(_ id: PendingPayment.ID) {
        save()
        announced.insert(id)
        follow(id)
    }

    /// Begins to ask. A question under way is replaced: there is more to judge now.
    func follow(_ id: PendingPayment.ID, after pause: Duration = .zero) {
        questions[id]?.cancel()
        questions[id] = Task { [weak self] in await self?.ask(id, after: pause) }
    }

    private func ask(_ id: PendingPayment.ID, after pause: Duration) async {
        if pause > .zero {
            do { try await configuration.wait(pause) } catch { return }
        }
        guard let payment = book[id] else { return }
        let word = judge(payment)
        guard query != nil else { return end(id, word.conclusionWithoutServer) }
        for pause in configuration.questionPauses {
            if pause > .zero {
                do { try await configuration.wait(pause) } catch { return }
            }
            let conclusion = word.conclusion(await state(of: payment))
            guard !Task.isCancelled, book[id] != nil else { return }
            if let conclusion { return end(id, conclusion) }
        }
        end(id, nil)
    }

    /// Nil when the server gave no answer.
    func state(of payment: PendingPayment) async -> OrderState? {
        try? await query?.state(ofOrder: payment.orderNumber, reply: payment.reply)
    }

    private func judge(_ payment: PendingPayment) -> WalletWord {
        let word = check.word(payment.reply, of: payment.order) { note($0, payment.orderNumber) }
        if case .paid(let number?) = word { book.lastTradeNumber = number }
        return word
    }

    /// Notes the end, or that nobody knows it, and tells whoever is to know.
    func end(_ id: PendingPayment.ID, _ conclusion: PendingPayment.Conclusion?) {
        questions[id] = nil
        guard let payment = book[id] else { return }
        if let conclusion {
            book.conclude(id, conclusion)
            save()
        }
        tell(report(payment, conclusion), of: id)
    }

    /// Lets whoever waits for a payment go, because another one takes its place in front of the customer.
    func endUndecided(_ id: PendingPayment.ID) {
        guard let payment = book[id], let listener = listeners.removeValue(forKey: id) else { return }
        listener(.success(report(payment, nil)))
    }

    private func tell(_ report: PaymentReport, of id: PendingPayment.ID) {
        let listener = listeners.removeValue(forKey: id)
        let companion = companions.removeValue(forKey: id)
        let isAnnounced = announced.remove(id) != nil
        let isDecided = report.outcome != .undecided
        if let listener, listener.isSuspended || companion == nil {
            listener(.success(report))
        } else if let told = companion ?? (isDecided || isAnnounced ? standby : nil) {
            told(report)
        } else {
            // What is decided waits in the list; this would not.
            if isAnnounced, !isDecided { unclaimed.append(report) }
            return
        }
        guard isDecided else { return }
        book.markReported(id)
        save()
    }

    /// Tells what nobody was there to hear, in an earlier run of the app too.
    func handOver(to standby: Standby) {
        let undecided = unclaimed
        unclaimed = []
        for report in undecided { standby(report) }
        let unheard = book.payments.filter { $0.conclusion != nil && !$0.isReported && listeners[$0.id] == nil }
        for payment in unheard {
            standby(report(payment, payment.conclusion))
            book.markReported(payment.id)
        }
        if !unheard.isEmpty { save() }
    }

    func report(_ payment: PendingPayment, _ conclusion: PendingPayment.Conclusion?) -> PaymentReport {
        let word = check.word(payment.reply, of: payment.order)
        let outcome: PaymentOutcome
        let status: AlipayResultStatus
        switch conclusion {
        case .succeeded:
            outcome = .succeeded(ConfirmedPayment(orderNumber: payment.orderNumber, resultIsVerified: word.isProven))
            status = .paid
        case .cancelled: (outcome, status) = (.cancelled, .cancelled)
        case .failed(let code): (outcome, status) = (.failed(code), code)
        case nil: (outcome, status) = (.undecided, word.undecidedStatus(isServerAsked: query != nil))
        }
        return PaymentReport(
            orderNumber: payment.orderNumber, outcome: outcome, reply: word == .unproven ? nil : payment.reply, status: status)
    }
}

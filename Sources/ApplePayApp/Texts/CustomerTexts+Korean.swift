extension CustomerTexts {
    static let korean: [CustomerText: String] = [
        .paid: "결제되었습니다. 감사합니다.",
        .notPaid: "결제되지 않았습니다. 돈은 빠져나가지 않았으니 다시 시도하셔도 됩니다.",
        .beingConfirmed: "결제를 확인하고 있습니다. 다시 결제하지 마세요. 결과를 알려 드립니다.",
        .paymentClosed: "결제를 닫으셨습니다. 결제된 금액은 없습니다.",
        .noSheet: "지금은 Apple Pay를 표시할 수 없습니다. 다른 결제 방법을 선택하세요.",
        .cardReady: "끝자리 {suffix} 카드로 결제할 수 있습니다.",
        .cardNeedsProof:
            "끝자리 {suffix} 카드가 지갑에 있지만 아직 결제할 수 없습니다. 지갑에서 인증을 요청하면 거기서 완료하세요. 아니면 은행이 확인한 뒤 알려 드립니다.",
        .cardActivating: "끝자리 {suffix} 카드가 지갑에 있으며 활성화하는 중입니다. 하실 일은 없습니다.",
        .cardUnusable: "끝자리 {suffix} 카드가 지갑에 있지만 사용할 수 없습니다. 은행에 문의하세요.",
        .cardNotAdded: "카드를 추가하지 않았습니다.",
        .cardUncertain: "카드가 추가되었는지 아직 알 수 없습니다. 다시 시도하기 전에 지갑을 확인하세요.",
        .screenClosed: "화면이 닫혀 카드를 추가하지 못했습니다.",
        .walletRefused: "지갑이 카드를 받지 않았습니다. 다시 시도하기 전에 지갑을 확인하세요.",
        .contactBank: "지금은 이 카드를 추가할 수 없습니다. 은행에 문의하세요.",
        .deviceCannot: "이 기기에는 이 카드를 추가할 수 없습니다.",
        .tryLater: "카드를 추가하지 못했습니다. 나중에 다시 시도하세요.",
    ]
}

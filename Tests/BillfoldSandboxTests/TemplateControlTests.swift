import BillfoldSandbox
import Testing

/// What of a page's template a person can touch, as the phone shows it.
struct TemplateControlTests {
    private func controls(_ template: String) -> [String] {
        TemplateControl.all(in: template).map { control in
            let data = (control.dataset ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
            return "\(control.kind.rawValue) \(control.handler) “\(control.label)”\(data.isEmpty ? "" : " \(data)")"
        }
    }

    @Test func buttonsHaveTheWordsInThemAndTheirData() {
        #expect(
            controls(
                """
                <!-- <button onTap="no">No</button> -->
                <view class="a"><text>Hello {{name}}</text>
                <button type='primary' onTap="onPay" data-order-id="7" data-x="{{y}}">Pay <text>now</text></button></view>
                """) == ["button onPay “Pay now” orderId=7"])
    }

    @Test func whatIsWrittenInsideOfATagThatCanBeTouchedIsItsName() {
        #expect(controls(#"<view catchTap="open"><image src="a.png"/><text>Open {{a}} it</text></view>"#) == ["button open “Open it”"])
        #expect(controls(#"<icon onTap="help" />"#) == ["button help “help”"])
    }

    @Test func inputsHaveTheirPlaceholders() {
        #expect(
            controls(#"<input onInput="onName" placeholder="Your name"/><textarea onBlur="onNote"></textarea>"#) == [
                "input onName “Your name”", "input onNote “onNote”",
            ])
    }

    @Test func whatTheDataDecideIsLeftOut() {
        #expect(controls(#"<button onTap="{{handler}}">No</button>"#).isEmpty)
    }

    @Test(arguments: [
        "<", "<view", "<view onTap=", #"<view onTap="a"#, "</", "<!--", "{{", "<view onTap='a'>{{", "<a/><b></a></b>", "<view onTap>",
    ])
    func brokenTemplatesEnd(template: String) {
        #expect(TemplateControl.all(in: template).count <= 1)
    }
}

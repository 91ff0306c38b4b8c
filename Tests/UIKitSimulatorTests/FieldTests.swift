import Testing
import UIKitSimulator

@MainActor
struct FieldTests {
    /// Takes digits, at most four of them.
    final class Digits: NSObject, UITextFieldDelegate {
        var heard: [String] = []
        var isOpen = true
        var mayEnd = true

        func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { isOpen }
        func textFieldDidBeginEditing(_ textField: UITextField) { heard.append("begin") }
        func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { mayEnd }
        func textFieldDidEndEditing(_ textField: UITextField) { heard.append("end") }

        func textField(_ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String) -> Bool {
            let next = NSString(string: textField.text ?? "").replacingCharacters(in: range, with: string)
            return next.count <= 4 && next.allSatisfy(\.isNumber)
        }

        func textFieldShouldReturn(_ textField: UITextField) -> Bool {
            textField.resignFirstResponder()
            return true
        }
    }

    /// A controller with two fields.
    @MainActor
    struct Form {
        let controller = UIViewController()
        let code = UITextField()
        let name = UITextField()
        let digits = Digits()
        let shown: Shown

        init() {
            shown = Shown(controller)
            (code.placeholder, name.placeholder) = ("Code", "Name")
            code.delegate = digits
            for field in [code, name] { controller.view.addSubview(field) }
        }
    }

    @Test func theDelegateSaysWhatMayBeTyped() {
        let form = Form()
        var events: [UIControl.Event] = []
        for event: UIControl.Event in [.editingDidBegin, .editingChanged, .editingDidEnd] {
            form.code.addAction(UIAction { _ in events.append(event) }, for: event)
        }
        #expect(form.shown.screen.texts == ["Code", "Name"])
        form.shown.run {
            #expect(form.shown.screen.type("12", into: "Code") && form.code.text == "12")
            #expect(!form.shown.screen.type("x", into: "Code") && form.code.text == "12")
            #expect(!form.shown.screen.type("345", into: "Code") && form.shown.screen.type("34", into: "Code"))
            #expect(form.code.text == "1234" && form.code.isEditing && form.digits.heard == ["begin"])
            #expect(form.code.sendDeletion() && form.code.text == "" && !form.code.hasText)
            #expect(!form.shown.screen.type("1", into: "Elsewhere"))
            form.code.sendReturn()
            #expect(!form.code.isFirstResponder && form.digits.heard == ["begin", "end"])
        }
        #expect(events == [.editingDidBegin, .editingChanged, .editingChanged, .editingChanged, .editingDidEnd])
        #expect(form.shown.screen.texts == ["Code", "Name"])
    }

    @Test func oneFieldHasTheKeyboard() {
        let form = Form()
        form.shown.run {
            #expect(form.code.becomeFirstResponder() && form.code.isFirstResponder)
            form.digits.mayEnd = false
            #expect(!form.name.becomeFirstResponder() && form.code.isFirstResponder, "the other does not give it up")
            form.digits.mayEnd = true
            #expect(form.name.becomeFirstResponder() && !form.code.isFirstResponder)
            #expect(form.controller.view.endEditing(false) && !form.name.isFirstResponder)
            #expect(!form.controller.view.endEditing(true), "nobody has it")
            form.digits.isOpen = false
            #expect(!form.code.sendText("1") && form.code.text == "")
            form.name.isEnabled = false
            #expect(!form.name.becomeFirstResponder())
            #expect(!UIView().becomeFirstResponder(), "a view takes no text")
        }
    }

    @Test func theKeyboardTellsThatItComesAndGoes() throws {
        let form = Form()
        var told: [CGFloat] = []
        var tokens: [any NSObjectProtocol] = []
        for name in [UIResponder.keyboardWillShowNotification, UIResponder.keyboardWillHideNotification] {
            tokens.append(
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
                    let frame = (note.userInfo?[UIResponder.keyboardFrameEndUserInfoKey] as? NSValue)?.cgRectValue
                    MainActor.assumeIsolated { told.append(frame?.origin.y ?? -1) }
                })
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        form.shown.run {
            form.name.sendTap()
            UIApplication.shared.sendAction(Selector("resignFirstResponder"), to: nil, from: nil, for: nil)
        }
        #expect(told.count >= 2, "other tests of this process may show a keyboard too")
        #expect(told.contains(844) && told.contains(508) && !form.name.isEditing)
    }

    @Test func whatIsSetIsRead() {
        let field = UITextField()
        field.text = nil
        #expect(field.text == "")
        field.attributedPlaceholder = NSAttributedString(string: "Card number", attributes: [.foregroundColor: UIColor.gray])
        field.attributedText = NSAttributedString(string: "6217")
        #expect(field.placeholder == "Card number" && field.text == "6217" && field.attributedText?.string == "6217")
        let controller = UIViewController()
        let shown = Shown(controller)
        controller.view.addSubview(field)
        #expect(shown.screen.texts == ["6217"])
        field.isSecureTextEntry = true
        #expect(shown.screen.texts.isEmpty, "nobody reads a password")
    }

    /// Counts what is typed into a note.
    final class Note: NSObject, UITextViewDelegate {
        var lengths: [Int] = []

        func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool { text != "\n" }
        func textViewDidChange(_ textView: UITextView) { lengths.append(textView.text.count) }
    }

    @Test func linesAreTyped() {
        let controller = UIViewController()
        let shown = Shown(controller)
        let (lines, note) = (UITextView(), Note())
        lines.accessibilityIdentifier = "note"
        lines.delegate = note
        controller.view.addSubview(lines)
        shown.run {
            #expect(shown.screen.type("no sugar", into: "note") && !lines.sendText("\n") && note.lengths == [8])
            #expect(lines.isFirstResponder && lines.resignFirstResponder() && !lines.isFirstResponder)
            lines.isEditable = false
            #expect(!lines.sendText("x"))
        }
        lines.attributedText = nil
        #expect(lines.text == "" && !lines.hasText)
    }

    final class Search: NSObject, UISearchBarDelegate {
        var heard: [String] = []

        func searchBarTextDidBeginEditing(_ searchBar: UISearchBar) { heard.append("begin") }
        func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) { heard.append(searchText) }
        func searchBarSearchButtonClicked(_ searchBar: UISearchBar) { heard.append("search") }
        func searchBarCancelButtonClicked(_ searchBar: UISearchBar) { heard.append("cancel") }
    }

    @Test func somethingIsLookedFor() {
        let controller = UIViewController()
        let shown = Shown(controller)
        let (bar, search) = (UISearchBar(), Search())
        (bar.placeholder, bar.delegate) = ("Programs", search)
        controller.view.addSubview(bar)
        shown.run {
            #expect(shown.screen.type("tea", into: "Programs") && bar.text == "tea" && bar.isFirstResponder)
            bar.searchTextField.sendReturn()
            bar.sendCancel()
            bar.setShowsCancelButton(true, animated: true)
            bar.sendCancel()
            #expect(bar.resignFirstResponder() && !bar.isFirstResponder && bar.becomeFirstResponder())
        }
        #expect(search.heard == ["begin", "tea", "search", "cancel", "begin"])
    }

    @Test func aQuestionHasFields() {
        let controller = UIViewController()
        let shown = Shown(controller)
        let alert = UIAlertController(title: "Scan", message: nil, preferredStyle: .alert)
        var answer: String?
        alert.addTextField { $0.placeholder = "code" }
        alert.addTextField()
        alert.addAction(UIAlertAction(title: "Done", style: .default) { _ in answer = alert.textFields?.first?.text })
        shown.run {
            controller.present(alert, animated: true)
            #expect(shown.screen.type("281006", into: "code") && shown.screen.tap("Done"))
        }
        #expect(answer == "281006" && alert.textFields?.count == 2 && shown.screen.alert == nil)
        #expect(UIAlertController(title: nil, message: nil, preferredStyle: .alert).textFields == nil)
    }
}

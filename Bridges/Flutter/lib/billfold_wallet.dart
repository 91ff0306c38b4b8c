// Not checked here: there is no Dart where this package is built. It is written against Flutter's published services library.
import 'package:flutter/services.dart';
import 'package:flutter/widgets.dart';

/// What the button may show: 0 nothing, 1 "added", 2 the button.
class ButtonState {
  const ButtonState(this.state, this.devices);

  final int state;

  /// Where the card can be added: `thisDevice`, `watch`.
  final List<String> devices;
}

/// How adding a card ended. `unknown` is not `failed`: the pass may show later.
class AddOutcome {
  const AddOutcome(this.outcome, this.text, {this.device, this.activation, this.code});

  /// `added`, `pendingActivation`, `cancelled`, `unknown` or `failed`.
  final String outcome;

  /// A sentence for the customer.
  final String text;
  final String? device;
  final int? activation;
  final String? code;
}

/// The four functions. A refusal is a [PlatformException] with a stable code.
class BillfoldWallet {
  static const _channel = MethodChannel('billfold/wallet');
  static final _taps = <int, VoidCallback>{};
  static bool _isListening = false;

  static Future<ButtonState> showButton(String card) async {
    final answer = (await _channel.invokeMapMethod<String, Object?>('showButton', {'card': card}))!;
    return ButtonState(answer['state']! as int, (answer['devices']! as List<Object?>).cast<String>());
  }

  static Future<bool> containsCard(String card) async => (await _channel.invokeMethod<bool>('containsCard', {'card': card}))!;

  /// The pass's state by device; 0 alone can pay.
  static Future<Map<String, int>> activationState(String card) async =>
      (await _channel.invokeMapMethod<String, int>('activationState', {'card': card}))!;

  static Future<AddOutcome> addCard(String card) async {
    final answer = (await _channel.invokeMapMethod<String, Object?>('addCard', {'card': card}))!;
    return AddOutcome(answer['outcome']! as String, answer['text']! as String,
        device: answer['device'] as String?, activation: answer['activation'] as int?, code: answer['code'] as String?);
  }

  static void _listen(int view, VoidCallback onTap) {
    _taps[view] = onTap;
    if (_isListening) return;
    _isListening = true;
    _channel.setMethodCallHandler((call) async {
      if (call.method == 'addButtonTapped') _taps[call.arguments as int]?.call();
    });
  }
}

/// The system's button. Show it for state 2 alone, and call [BillfoldWallet.addCard] at once on a tap.
class AddPassButton extends StatefulWidget {
  const AddPassButton({super.key, required this.onTap, this.width = 280, this.height = 44});

  final VoidCallback onTap;
  final double width;
  final double height;

  @override
  State<AddPassButton> createState() => _AddPassButtonState();
}

class _AddPassButtonState extends State<AddPassButton> {
  int? _view;

  @override
  void dispose() {
    BillfoldWallet._taps.remove(_view);
    super.dispose();
  }

  @override
  Widget build(BuildContext context) => SizedBox(
        width: widget.width,
        height: widget.height,
        child: UiKitView(
          viewType: 'billfold/add-pass-button',
          creationParamsCodec: const StandardMessageCodec(),
          onPlatformViewCreated: (view) {
            _view = view;
            BillfoldWallet._listen(view, () => widget.onTap());
          },
        ),
      );
}

package org.aspas.emulab.sim.conversation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ReadPart;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Event;
import org.aspas.client.core.Notice;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** What the application of the conversation does, one thing after the other. */
final class Script {
    private static final String COUNTER = "pn-counter";
    private static final String SET = "aw-set";

    /**
     * One thing that the application does.
     *
     * @param what it is, in words
     * @param call the call; null where the client connects
     * @param lines the frames that belong to it
     * @param effects what the application is told
     */
    record Scene(String what, @Nullable Event call, List<Dialogue.Line> lines, List<Effect> effects) {}

    private final Dialogue dialogue;
    private final List<Scene> scenes = new ArrayList<>();

    private Script(Dialogue dialogue) {
        this.dialogue = dialogue;
    }

    /** Runs the whole conversation. */
    static List<Scene> run(Descriptor descriptor) {
        Script script = new Script(new Dialogue(descriptor));
        script.session();
        script.updates();
        script.reads();
        script.others();
        return script.scenes;
    }

    private void scene(String what, @Nullable Event call, Runnable action) {
        int lines = dialogue.lines.size();
        int effects = dialogue.effects.size();
        action.run();
        scenes.add(new Scene(
                what,
                call,
                List.copyOf(dialogue.lines.subList(lines, dialogue.lines.size())),
                List.copyOf(dialogue.effects.subList(effects, dialogue.effects.size()))));
    }

    private void call(String what, Event call, Predicate<Effect> end) {
        scene(what, call, () -> dialogue.call(call, end));
    }

    private void session() {
        scene(
                "connect, and open a session with tolerance 8",
                null,
                () -> dialogue.until(() -> dialogue.effects.stream()
                        .anyMatch(effect -> effect instanceof Effect.Noticed noticed
                                && noticed.notice() instanceof Notice.SessionOpened)));
    }

    private void update(String what, String key, String type, Operation operation) {
        call(what, new Event.Update(dialogue.call(), key, type, operation), Effect.Confirmed.class::isInstance);
    }

    private void updates() {
        update("increment counter c by 5", "c", COUNTER, Operation.of("increment", Value.of(5)));
        update("add \"a\" to set s", "s", SET, Operation.of("add", Value.of("a")));
        update("add 1 to set s, with tags", "s", SET, Operation.of("add", Value.of(1)));
    }

    private void read(String what, String key, String type, boolean certified, @Nullable ReadPart part) {
        call(what, new Event.ReadAsked(dialogue.call(), key, type, certified, part), Effect.ReadDone.class::isInstance);
    }

    private void reads() {
        read("read c, certified", "c", COUNTER, true, null);
        read("read s, certified", "s", SET, true, null);
        read("ask whether \"b\" is in s, certified", "s", SET, true, ReadPart.element(Value.of("b")));
        read("read the first page of s", "s", SET, true, ReadPart.page(Hash.ZERO, CertificateNumber.NONE));
        read("read d, which nobody has made, certified", "d", COUNTER, true, null);
        read("read c as the server has it now", "c", COUNTER, false, null);
    }

    private void others() {
        call(
                "ask for certificate 1",
                new Event.CertificateAsked(dialogue.call(), CertificateNumber.FIRST),
                Effect.CertificateFound.class::isInstance);
        call(
                "read c as a set, which it is not",
                new Event.ReadAsked(dialogue.call(), "c", SET, true),
                Effect.Failed.class::isInstance);
    }
}

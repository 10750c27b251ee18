package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Rules.To.APPSERVERS;
import static org.aspas.emulab.sim.adversary.Rules.To.BFTSERVERS;
import static org.aspas.emulab.sim.adversary.Rules.To.ORDER;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.jspecify.annotations.Nullable;

/**
 * A bftserver that changes fields of its questions, shares and commands, and signs them again with its own key; what it remembers after a
 * cold start it makes up, with the proof of a genuine content, and changes that, too.
 */
final class FuzzingReplica {
    private static final double CHANGED = 0.15;
    private static final double LEARNED = 0.3;
    private static final int COMMANDS_AT_ONCE = 3;
    private static final Set<Kind> TO_APPSERVERS = EnumSet.of(Kind.SHARE, Kind.BFTREQSTABLE);
    private static final Set<Kind> COMMANDS = EnumSet.of(Kind.TICK, Kind.ACCEPT, Kind.COMMIT, Kind.RECOVER);

    private final AdversaryContext context;
    private final FrameFuzzer frames;
    /** Who accepted a content, by replica. */
    private final TreeMap<Integer, Signed<Accept>> accepts = new TreeMap<>();

    private @Nullable Share share;

    private FuzzingReplica(AdversaryContext context) {
        this.context = context;
        this.frames = new FrameFuzzer(context, context.self().index());
    }

    static Rules rules(AdversaryContext context) {
        FuzzingReplica party = new FuzzingReplica(context);
        return new Rules(context)
                .on(Message.class)
                .to(APPSERVERS)
                .act(party::toAppserver)
                .on(Message.class)
                .to(ORDER)
                .where(party::isOwn)
                .act((command, due) -> {
                    party.frames.learn(due.frame());
                    party.fuzz(due);
                })
                .on(Message.class)
                .to(BFTSERVERS)
                .act((word, due) -> party.changed(due).ifPresentOrElse(due.bytes(), due::pass))
                .onOrdered(party::ordered)
                .onStep(party::step);
    }

    private boolean isOwn(Rules.Due due) {
        Message command = due.frame().message();
        return COMMANDS.contains(command.kind())
                && Integer.valueOf(context.self().index()).equals(Fields.first(command));
    }

    private Optional<byte[]> changed(Rules.Due due) {
        return context.chance().happens(CHANGED) ? frames.changed(due.frame()) : Optional.empty();
    }

    private void fuzz(Rules.Due due) {
        Optional<byte[]> changed = changed(due);
        if (changed.isEmpty() || context.chance().happens(0.5)) {
            due.pass();
        }
        changed.ifPresent(due.bytes());
    }

    private void toAppserver(Message message, Rules.Due due) {
        if (context.chance().happens(LEARNED)) {
            frames.learn(due.frame());
        }
        if (message instanceof Share own) {
            share = own;
        }
        fuzz(due);
        if (context.chance().happens(LEARNED)) {
            frames.any(TO_APPSERVERS).ifPresent(due.bytes());
        }
    }

    private void ordered(Frame command) {
        if (command instanceof Frame.Sealed sealed && sealed.message() instanceof Accept accept) {
            accepts.values()
                    .removeIf(other -> !other.message().content().equals(accept.content())
                            || other.message().attempt() != accept.attempt());
            accepts.put(accept.replica(), sealed.signed().as(Accept.class).orElseThrow());
        }
    }

    private void step(Rules.Order order) {
        remember();
        for (int i = 0; i < COMMANDS_AT_ONCE; i++) {
            frames.any(COMMANDS).ifPresent(order.bytes());
        }
    }

    /** A RECOVER as of one that begins anew, with the newest content and whoever was heard to accept it. */
    private void remember() {
        Share newest = share;
        if (newest != null && !accepts.isEmpty()) {
            CertificateContent content = newest.content().message();
            List<Signed<Accept>> signed = new ArrayList<>(accepts.values());
            long attempt = signed.get(0).message().attempt();
            ProvenContent proven = new ProvenContent(content, newest.content().payload(), signed);
            boolean bare = context.chance().happens(0.3);
            frames.learn(context.frame(new Recover(
                    context.self().index(),
                    context.anyHash(),
                    Hash.ZERO,
                    context.chance().happens(0.5),
                    new Epoch(content.number().value()),
                    content.number(),
                    attempt,
                    bare ? null : proven)));
        }
    }
}

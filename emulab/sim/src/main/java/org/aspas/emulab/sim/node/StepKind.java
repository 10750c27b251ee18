package org.aspas.emulab.sim.node;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Kind;

/**
 * The kinds of steps of the cores: the party and, for a frame, the message, such as {@code "appserver REQUEST"}; for other
 * events their name, such as {@code "appserver tick"}. The size of a step is the length of its frame, or 0. A step of an
 * appserver that adopts a certificate is a kind of its own ({@link #ADOPTING}), and so is one that answers the bftservers
 * with a state ({@link #STATING}): their size is how many entries that certificate or that state has more than the one
 * before.
 */
public final class StepKind {
    /** What follows the name of a step that adopts a certificate. */
    public static final String ADOPTING = ", adopting";

    /** What follows the name of a step that works out a state for the bftservers. */
    public static final String STATING = ", stating";

    private static final String APPSERVER = "appserver ";
    private static final String BFTSERVER = "bftserver ";
    private static final String CLIENT = "client ";
    private static final String OTHER = "other";

    /** What only certification needs: without it, nobody would send these. */
    private static final Set<String> CERTIFICATION = EnumSet.of(
                    Kind.VERTOBFT,
                    Kind.BFTREQSTABLE,
                    Kind.STABLE,
                    Kind.TICK,
                    Kind.ACCEPT,
                    Kind.COMMIT,
                    Kind.RECOVER,
                    Kind.SHARE,
                    Kind.GET_CERTIFICATE,
                    Kind.CERTIFICATE_REPLY,
                    Kind.CONFIRMATION,
                    Kind.CERTIFIED_ENTRIES,
                    Kind.INSPECT,
                    Kind.INSPECTREPLY)
            .stream()
            .map(Kind::name)
            .collect(Collectors.toUnmodifiableSet());

    private StepKind() {}

    public static String of(Event event) {
        if (event instanceof Event.ClientFrame client) {
            return APPSERVER + name(client.frame());
        } else if (event instanceof Event.NodeFrame node) {
            return APPSERVER + name(node.frame());
        }
        return event instanceof Event.NodeBatch ? APPSERVER + Kind.BATCH : APPSERVER + plain(event);
    }

    public static String of(org.aspas.certify.replica.Event event) {
        if (event instanceof org.aspas.certify.replica.Event.Heard) {
            return BFTSERVER + OTHER;
        }
        return event instanceof org.aspas.certify.replica.Event.Received received
                ? BFTSERVER + received.command().frame().map(StepKind::name).orElse(OTHER)
                : BFTSERVER + plain(event);
    }

    /** The kind of a step in which a bftserver executes an ordered command, and carries on from it. */
    public static String ofOrdered(String label) {
        return BFTSERVER + "ordered " + label;
    }

    public static String of(org.aspas.client.core.Event event) {
        return event instanceof org.aspas.client.core.Event.FrameReceived received
                ? CLIENT + name(received.frame())
                : CLIENT + plain(event);
    }

    /** The kind that stands for those of the same party that were not measured. */
    public static String other(String kind) {
        return kind.substring(0, kind.indexOf(' ') + 1) + OTHER;
    }

    /** Whether only certification has such steps. */
    static boolean isCertification(String kind) {
        return kind.startsWith(BFTSERVER)
                || kind.endsWith(ADOPTING)
                || kind.endsWith(STATING)
                || isCertificationMessage(kind.substring(kind.indexOf(' ') + 1));
    }

    /** Whether only certification sends such messages. */
    static boolean isCertificationMessage(String label) {
        return CERTIFICATION.contains(label);
    }

    public static String name(Frame frame) {
        return frame.message().kind().name();
    }

    private static String plain(Object event) {
        return event.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}

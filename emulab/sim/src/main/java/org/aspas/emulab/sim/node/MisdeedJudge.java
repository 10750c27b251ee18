package org.aspas.emulab.sim.node;

import org.aspas.certify.wire.Frame;
import org.aspas.emulab.sim.network.Wire;
import org.jspecify.annotations.Nullable;

/**
 * The one decision on what a misdeed is. It holds what leaves a server against the one thing that is due because a core wants
 * to send it. A correct server sends that thing once and in time, and nothing else. What leaves goes on to the next exit.
 */
final class MisdeedJudge implements ServerConduct.Exit {
    private final @Nullable Outgoing due;
    private final ServerConduct.Exit next;
    private final Behaviour.Witness witness;
    private boolean sent;
    private boolean misdeed;

    /**
     * A judge of what leaves because of one wish of a core, or unasked.
     *
     * @param due what a core wants to send; null when none wants anything
     * @param next where what leaves goes
     * @param witness sees it, and is told what a correct server would not do
     */
    MisdeedJudge(@Nullable Outgoing due, ServerConduct.Exit next, Behaviour.Witness witness) {
        this.due = due;
        this.next = next;
        this.witness = witness;
    }

    @Override
    public void send(Outgoing what) {
        Frame frame = frame(what);
        if (frame == null) {
            tell("sends " + addressee(what) + " bytes that are no frame of its core");
        } else if (due == null || content(frame) != content(frame(due))) {
            String changed = due == null || sent ? "" : "changed ";
            tell("sends " + addressee(what) + " a " + changed + Wire.label(frame)
                    + (changed.isEmpty() ? " besides" : ""));
        } else {
            if (what instanceof Outgoing.ToNode node && node.late() > 0) {
                tell("delays the " + Wire.label(frame) + " for " + addressee(what));
            } else if (sent) {
                tell("sends " + addressee(what) + " a " + Wire.label(frame) + " again");
            }
            sent = true;
        }
        witness.sees(what);
        next.send(what);
    }

    /** Nothing more leaves because of the wish. To keep it back is a misdeed, unless something else was sent instead. */
    void over() {
        Outgoing wish = due;
        Frame frame = wish == null ? null : frame(wish);
        if (wish != null && frame != null && !sent && !misdeed) {
            tell("keeps back the " + Wire.label(frame) + " for " + addressee(wish));
        }
    }

    private void tell(String what) {
        misdeed = true;
        witness.misdeed(what);
    }

    private static String addressee(Outgoing what) {
        if (what instanceof Outgoing.ToNode node) {
            return node.to().toString();
        }
        return what instanceof Outgoing.BytesToNode node ? node.to().toString() : "a client";
    }

    private static @Nullable Frame frame(Outgoing what) {
        if (what instanceof Outgoing.ToNode node) {
            return node.frame();
        }
        return what instanceof Outgoing.ToClient client ? client.frame() : null;
    }

    /** What a frame wraps: the core's own object, if it is what the core wanted to send. */
    private static @Nullable Object content(@Nullable Frame frame) {
        return frame instanceof Frame.Sealed sealed
                ? sealed.signed()
                : frame instanceof Frame.Plain plain ? plain.message() : null;
    }
}

package org.aspas.emulab.lab.attack;

import org.aspas.appserver.core.ConnectionId;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;
import org.aspas.emulab.lab.attack.ByzantineMachine.Misdeeds;
import org.aspas.emulab.sim.node.ServerConduct;

/** An exit that knows what a core wanted to send, and tells if anything else leaves. */
final class Judged extends UnaskedSends {
    private final Frame wish;
    private final String to;
    private boolean granted;
    private boolean other;

    Judged(Frame wish, String to, ServerConduct.Exit exit, Misdeeds misdeeds) {
        super(exit, misdeeds);
        this.wish = wish;
        this.to = to;
    }

    @Override
    public void node(NodeId addressee, Frame frame, long micro) {
        if (!same(frame)) {
            misdeed("sends " + to + " a changed " + ByzantineMachine.name(frame));
        } else if (micro > 0) {
            misdeed("delays the " + ByzantineMachine.name(frame) + " for " + to);
        } else if (granted) {
            misdeed("sends " + to + " a " + ByzantineMachine.name(frame) + " again");
        }
        granted |= same(frame);
        next.node(addressee, frame, micro);
    }

    @Override
    public void client(ConnectionId connection, Message message) {
        boolean right = wish instanceof Frame.Plain plain && plain.message() == message;
        if (!right) {
            misdeed("sends " + to + " a " + (granted ? "" : "changed ") + message.kind() + (granted ? " besides" : ""));
        }
        granted |= right;
        next.client(connection, message);
    }

    @Override
    public void clientSigned(ConnectionId connection, Signed<? extends Message> signed) {
        boolean right = wish instanceof Frame.Sealed sealed && sealed.signed() == signed;
        if (!right) {
            misdeed("sends " + to + " a changed " + signed.message().kind());
        }
        granted |= right;
        next.clientSigned(connection, signed);
    }

    @Override
    public void nodeBytes(NodeId addressee, byte[] bytes) {
        other = true;
        super.nodeBytes(addressee, bytes);
    }

    @Override
    public void clientBytes(ConnectionId connection, byte[] bytes) {
        other = true;
        super.clientBytes(connection, bytes);
    }

    private boolean same(Frame frame) {
        return frame == wish;
    }

    private void misdeed(String what) {
        other = true;
        misdeeds.done(what);
    }

    /** The conduct is done with the wish; keeping it back is a misdeed unless another core speaks for the server. */
    void over(boolean alone) {
        if (!granted && !other && alone) {
            misdeeds.done("keeps back the " + ByzantineMachine.name(wish) + " for " + to);
        }
    }
}

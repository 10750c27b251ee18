package org.aspas.emulab.sim.node;

import org.aspas.certify.replica.Command;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;

/**
 * One frame as it travels. It is encoded once by its sender and decoded once for all its receivers: frames are immutable,
 * and whether a signature is right does not depend on who looks.
 */
public final class Wire {
    private final Command command;

    public Wire(byte[] bytes) {
        this.command = new Command(bytes);
    }

    public static Wire of(Message message) {
        return new Wire(Codec.encode(message));
    }

    public static Wire of(Signed<? extends Message> signed) {
        return new Wire(Codec.encode(signed));
    }

    /** The frame of a frame, with the tags that are beside its message. */
    public static Wire of(Frame frame) {
        return new Wire(Codec.encode(frame));
    }

    /** The bytes; not to be changed. */
    public byte[] bytes() {
        return command.bytes();
    }

    public Command command() {
        return command;
    }

    /** What a receiver makes of them. */
    public Decoded<Frame> decoded() {
        return command.decoded();
    }

    /** The message's name, for a trace. */
    public String label() {
        if (decoded() instanceof Decoded.Accepted<Frame> accepted) {
            return label(accepted.value());
        }
        return "GARBAGE";
    }

    /** What the message says, in a few words for people. */
    public String summary() {
        return decoded() instanceof Decoded.Accepted<Frame> accepted
                ? MessageSummary.of(accepted.value().message())
                : "";
    }

    public static String label(Frame frame) {
        return frame.message().kind().name();
    }
}

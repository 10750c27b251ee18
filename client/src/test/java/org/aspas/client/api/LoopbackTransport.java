package org.aspas.client.api;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.client.ScriptedServer;
import org.aspas.client.net.Transport;
import org.jspecify.annotations.Nullable;

/** A scripted server without a network; every call answers in the caller's thread. */
final class LoopbackTransport implements Transport {
    private final ScriptedServer server;
    private final List<byte[]> held = new ArrayList<>();
    private @Nullable Listener listener;
    private boolean holding;
    private boolean down;
    private @Nullable Message next;

    LoopbackTransport(ScriptedServer server) {
        this.server = server;
    }

    @Override
    public synchronized Connection connect(Listener fresh) {
        if (down) {
            fresh.closed("down");
            return new Line(fresh);
        }
        listener = fresh;
        fresh.connected();
        deliver(server.hello());
        return new Line(fresh);
    }

    private void deliver(Message message) {
        Listener open = listener;
        if (open != null) {
            open.received(Codec.encode(message), () -> {});
        }
    }

    /** From now on frames from the client are lost. */
    synchronized void hold() {
        holding = true;
    }

    /** The next frame from the client is answered with this, whatever it is. */
    synchronized void answerNext(Message message) {
        next = message;
    }

    synchronized void certify() {
        server.certify();
        server.confirmations().forEach(this::deliver);
    }

    synchronized void cut() {
        Listener open = listener;
        listener = null;
        holding = false;
        if (open != null) {
            open.closed("cut");
        }
    }

    synchronized void goDown() {
        down = true;
    }

    synchronized int heldFrames() {
        return held.size();
    }

    private final class Line implements Connection {
        private final Listener mine;

        Line(Listener mine) {
            this.mine = mine;
        }

        @Override
        public void send(byte[] frame) {
            synchronized (LoopbackTransport.this) {
                if (mine != listener) {
                    return;
                }
                Message instead = next;
                if (instead != null) {
                    next = null;
                    deliver(instead);
                } else if (holding) {
                    held.add(frame);
                } else {
                    deliver(server.serve(Codec.decode(frame).accepted().orElseThrow()));
                }
            }
        }

        @Override
        public void close() {
            synchronized (LoopbackTransport.this) {
                if (mine == listener) {
                    listener = null;
                    mine.closed("closed");
                }
            }
        }
    }
}

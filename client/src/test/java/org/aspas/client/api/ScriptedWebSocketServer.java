package org.aspas.client.api;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.client.BareWebSocketServer;
import org.aspas.client.BareWebSocketServer.Peer;
import org.aspas.client.ScriptedWorld;

/** One server of a scripted world behind a real WebSocket. */
final class ScriptedWebSocketServer implements BareWebSocketServer.Conversation, AutoCloseable {
    private final ScriptedWorld world;
    private final ScriptedWorld.Server server;
    private final Set<Peer> sessions = ConcurrentHashMap.newKeySet();
    private final BareWebSocketServer listening;

    ScriptedWebSocketServer(ScriptedWorld world, int index) throws IOException {
        this.world = world;
        this.server = world.servers.get(index);
        this.listening = new BareWebSocketServer(this);
    }

    int port() {
        return listening.port();
    }

    @Override
    public void opened(Peer peer) throws IOException {
        peer.send(Codec.encode(server.hello()));
    }

    @Override
    public void received(Peer peer, byte[] message) throws IOException {
        Frame frame = Codec.decode(message).accepted().orElseThrow();
        synchronized (world) {
            boolean session = frame instanceof Frame.Plain
                    || (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof ClientSigned);
            if (session) {
                sessions.add(peer);
                for (Message answer : server.serve(frame)) {
                    peer.send(Codec.encode(answer));
                }
            } else {
                for (Signed<? extends Message> reply : server.ask(frame)) {
                    peer.send(Codec.encode(reply));
                }
            }
        }
    }

    /** Tells the client of the newest certificate. */
    void confirm() {
        synchronized (world) {
            server.confirmation()
                    .ifPresent(confirmation -> sessions.forEach(peer -> {
                        try {
                            peer.send(Codec.encode(confirmation));
                        } catch (IOException gone) {
                            sessions.remove(peer);
                        }
                    }));
        }
    }

    /** Stops; connections break. */
    @Override
    public void close() throws IOException {
        listening.close();
    }
}

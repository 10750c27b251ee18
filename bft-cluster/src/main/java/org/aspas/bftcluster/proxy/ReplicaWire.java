package org.aspas.bftcluster.proxy;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * The library's client protocol with one replica: a 4-byte length, a zero byte for "not signed", the message, and an
 * HMAC-SHA1. The key of that MAC is made of the two public ids, so it detects damage and proves nothing.
 */
final class ReplicaWire {
    /** Length field, flag, MAC and the message's own fields, with room to spare. */
    static final int OVERHEAD_BYTES = 128;

    private static final int MAC_BYTES = 20;
    private static final int HEADER_BYTES = 8 * Integer.BYTES;

    private final int replica;
    private final Mac mac;

    ReplicaWire(int client, int replica) {
        this.replica = replica;
        try {
            SecretKey key = SecretKeyFactory.getInstance("PBEWithMD5AndDES")
                    .generateSecret(new PBEKeySpec((client + ":" + replica).toCharArray()));
            mac = Mac.getInstance("HmacSHA1");
            mac.init(key);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this JDK lacks what the ordering library needs", impossible);
        }
    }

    /** The bytes under the length, flag and MAC: the same for every replica. */
    static byte[] message(int client, int session, int sequence, byte[] command) {
        TOMMessage message =
                new TOMMessage(client, session, sequence, sequence, command, 0, TOMMessageType.ORDERED_REQUEST);
        return TOMMessage.messageToBytes(message);
    }

    ByteBuf frame(byte[] message) {
        byte[] code = mac.doFinal(message);
        ByteBuf header =
                Unpooled.buffer(5).writeInt(1 + message.length + code.length).writeByte(0);
        return Unpooled.wrappedBuffer(header, Unpooled.wrappedBuffer(message), Unpooled.wrappedBuffer(code));
    }

    /** A reply of this replica; empty when the frame is damaged or names another sender. */
    Optional<TOMMessage> reply(ByteBuf frame) {
        int length = frame.readableBytes() - 1 - MAC_BYTES;
        if (length < HEADER_BYTES || frame.readByte() != 0) {
            return Optional.empty();
        }
        byte[] message = ByteBufUtil.getBytes(frame, frame.readerIndex(), length);
        byte[] code = ByteBufUtil.getBytes(frame, frame.readerIndex() + length, MAC_BYTES);
        int contentLength = frame.getInt(frame.readerIndex() + HEADER_BYTES - Integer.BYTES);
        boolean sound = MessageDigest.isEqual(mac.doFinal(message), code)
                && (contentLength == -1 ? length == HEADER_BYTES : contentLength == length - HEADER_BYTES);
        return sound ? read(message) : Optional.empty();
    }

    private Optional<TOMMessage> read(byte[] message) {
        try {
            TOMMessage reply = new TOMMessage();
            reply.rExternal(new DataInputStream(new ByteArrayInputStream(message)));
            return reply.getSender() == replica ? Optional.of(reply) : Optional.empty();
        } catch (IOException | ClassNotFoundException malformed) {
            return Optional.empty();
        }
    }
}

package com.example.likes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.AspasException;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.Update;
import org.aspas.client.core.ClientEvent;

/** Likes a post of the deployment in a folder: {@code LikesMain FOLDER NAME POST}. */
public final class LikesMain {
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration CONFIRMATION = Duration.ofSeconds(30);

    private LikesMain() {}

    /** Ends with 0 when the like is confirmed, 1 when it is not, 2 for wrong usage. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 3) {
            System.err.println("usage: LikesMain FOLDER NAME POST");
            System.exit(2);
        }
        ClientOptions options = ClientOptions.defaults()
                .withTolerance(1_000) // At most 1,000 of our updates are lost if our server turns out bad, and then sent again.
                .withDeadlines(ANSWER, CONFIRMATION)
                .withOnRevoked(LikesMain::revoked);
        boolean confirmed;
        try (AspasClient client = AspasClient.connect(Path.of(arguments[0]), arguments[1], options)) {
            confirmed = like(new Likes(client), arguments[2]);
        }
        System.exit(confirmed ? 0 : 1);
    }

    private static boolean like(Likes likes, String post) {
        Update like = likes.like(post);
        try {
            System.out.println("likes, as answered: "
                    + like.answered().toCompletableFuture().join().counter().orElseThrow());
            System.out.println("confirmed by certificate "
                    + like.confirmed().toCompletableFuture().join().certificateNumber().value());
            System.out.println(
                    "likes, as proved: " + likes.proved(post).toCompletableFuture().join());
            return true;
        } catch (CompletionException failed) {
            System.err.println(AspasException.in(failed).map(Throwable::getMessage).orElse(failed.toString()));
            return false;
        }
    }

    /** A real application takes back what it showed. */
    private static void revoked(ClientEvent.Revoked revoked) {
        System.out.println(revoked.updates().size() + " likes were revoked with their server, and are sent to another one");
    }
}

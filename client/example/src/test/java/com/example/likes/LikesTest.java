package com.example.likes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.client.api.AspasClient;
import org.aspas.client.junit.AspasExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The application on a real cluster: four appservers and four bftservers in this process. */
class LikesTest {
    @RegisterExtension
    static final AspasExtension ASPAS = AspasExtension.cluster();

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(120, TimeUnit.SECONDS);
    }

    @Test
    void likesAndCommentsAreShownAndProved() throws Exception {
        try (AspasClient client = AspasClient.connect(ASPAS.folder(), "alice")) {
            Likes likes = new Likes(client);
            assertEquals(1, get(likes.like("42").answered()).counter().orElseThrow());
            get(likes.like("42").confirmed());
            assertEquals(2, get(likes.proved("42")));
            assertEquals(2, get(likes.shown("42")));
            get(likes.comment("42", "well said").answered());
            assertEquals(Set.of("well said"), get(likes.shownComments("42")));
        }
    }

    /** One appserver and one bftserver may be gone. */
    @Test
    void likesAreProvedWithServersDown() throws Exception {
        ASPAS.stopAppserver(3);
        ASPAS.stopBftserver(0);
        try (AspasClient client = AspasClient.connect(ASPAS.folder(), "bob")) {
            Likes likes = new Likes(client);
            get(likes.like("43").confirmed());
            assertEquals(1, get(likes.proved("43")));
        }
    }
}
